// The host that this page runs in.
import { makeBrowserHost } from "../client/browser_host";
import { client } from "../client/client";
import { editorPort, makeEditorHost } from "../client/editor_host";
import type { Host } from "../client/host";

const port = editorPort();

export const host: Host = port === undefined ? makeBrowserHost(client) : makeEditorHost(port);
