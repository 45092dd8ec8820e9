// The page's one connection to its server.
import { Client } from "./connection";
import { canProve, resume } from "./resume";

// The page lies below its server's token. In an editor it comes from elsewhere, and is told where its server is.
function pageOfServer(): URL {
  const told = document.querySelector<HTMLMetaElement>('meta[name="skyline-server"]')?.content;
  return new URL("./", told ?? location.href);
}

let page = pageOfServer();
let secret = "";
let isMoved = false;

/** What the server has said of how its successor is known; empty: not at all. */
export function setResumeSecret(text: string): void {
  secret = text;
}

/** Whether the page lies below the token of a server that is gone: what it has not loaded yet, it must load anew. */
export function hasMoved(): boolean {
  return isMoved;
}

function address(): string {
  const url = new URL("./ws", page);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}

async function isRefused(): Promise<boolean> {
  if (secret !== "" && canProve()) return false; // findServer has told
  try {
    return !(await fetch(page, { cache: "no-store" })).ok;
  } catch {
    return false; // nobody is there
  }
}

async function findServer(): Promise<"ready" | "nobody" | "stranger"> {
  if (secret === "" || !canProve() || page.origin !== location.origin) return "ready";
  const found = await resume(page, secret, (at, settings) => fetch(at, settings));
  if (found.kind !== "ready") return found.kind;
  if (found.page.href !== page.href) {
    page = found.page;
    isMoved = true;
    history.replaceState(history.state, "", `${page.pathname}${location.search}${location.hash}`);
  }
  return "ready";
}

export const client = new Client(() => new WebSocket(address()), isRefused, findServer);
