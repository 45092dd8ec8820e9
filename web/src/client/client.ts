// The page's one connection to its server.
import { Client } from "./connection";

// The page lies below its server's token. In an editor it comes from elsewhere, and is told where its server is.
function pageOfServer(): URL {
  const told = document.querySelector<HTMLMetaElement>('meta[name="skyline-server"]')?.content;
  return new URL("./", told ?? location.href);
}

function address(): string {
  const url = new URL("./ws", pageOfServer());
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}

async function isRefused(): Promise<boolean> {
  try {
    return !(await fetch(pageOfServer(), { cache: "no-store" })).ok;
  } catch {
    return false; // nobody is there
  }
}

export const client = new Client(() => new WebSocket(address()), isRefused);
