// The host that this page runs in.
import { makeBrowserHost } from "../client/browser_host";
import { client } from "../client/client";
import type { Host } from "../client/host";

export const host: Host = makeBrowserHost(client);
