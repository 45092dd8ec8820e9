// The page's one connection to its server.
import { Client } from "./connection";

function address(): string {
  const url = new URL("./ws", location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.hash = "";
  return url.href;
}

async function isRefused(): Promise<boolean> {
  try {
    return !(await fetch(new URL("./", location.href), { cache: "no-store" })).ok;
  } catch {
    return false; // nobody is there
  }
}

export const client = new Client(() => new WebSocket(address()), isRefused);
