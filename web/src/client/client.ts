// The page's one connection to its server.
import { Client } from "./connection";

function address(): string {
  const url = new URL("./ws", location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.hash = "";
  return url.href;
}

export const client = new Client(() => new WebSocket(address()));
