// The page in an editor's webview: files are opened, changed and watched by the editor. Both sides send each other
// messages of the two unions below; the editor's side of it is in editor/.
import type { Edit } from "@protocol/messages";
import { signal } from "@preact/signals";
import { begin } from "../base/idle";
import { failure, ok, type Result } from "../base/result";
import type { FileNotice, Host, Theme } from "./host";

export type ToEditor =
  | { readonly type: "openFile"; readonly path: string; readonly line: number }
  | { readonly type: "showEdit"; readonly edit: Edit | undefined }
  | { readonly type: "applyEdit"; readonly id: number; readonly edit: Edit }
  | { readonly type: "copyText"; readonly id: number; readonly text: string };

export type FromEditor =
  | { readonly type: "theme"; readonly theme: Theme }
  | { readonly type: "notice"; readonly notice: FileNotice }
  | { readonly type: "done"; readonly id: number; readonly trouble: string }; // empty: it was done

/** How messages are exchanged: acquireVsCodeApi().postMessage, and the window's message events. */
export interface EditorPort {
  readonly post: (message: ToEditor) => void;
  readonly listen: (handler: (message: FromEditor) => void) => void;
}

declare global {
  // What VS Code gives to the page of a webview; it may be called once.
  var acquireVsCodeApi: undefined | (() => { readonly postMessage: (message: unknown) => void });
}

/** Undefined: the page is not in an editor. */
export function editorPort(): EditorPort | undefined {
  const editor = globalThis.acquireVsCodeApi?.();
  if (editor === undefined) return undefined;
  return {
    post: (message) => editor.postMessage(message),
    listen: (handler) => addEventListener("message", ({ data }) => handler(data as FromEditor)),
  };
}

export function makeEditorHost(port: EditorPort): Host {
  const theme = signal<Theme>("light");
  const handlers = new Set<(notice: FileNotice) => void>();
  const waiting = new Map<number, (result: Result<void>) => void>();
  let nextId = 0;

  port.listen((message) => {
    switch (message.type) {
      case "theme":
        theme.value = message.theme;
        document.documentElement.dataset["theme"] = message.theme;
        break;
      case "notice":
        for (const handler of handlers) handler(message.notice);
        break;
      case "done":
        waiting.get(message.id)?.(message.trouble === "" ? ok(undefined) : failure(message.trouble));
        break;
      default:
        break; // a window also gets messages that are not ours
    }
  });

  const request = (make: (id: number) => ToEditor): Promise<Result<void>> => {
    const id = nextId++;
    const end = begin();
    return new Promise((resolve) => {
      waiting.set(id, (result) => {
        waiting.delete(id);
        end();
        resolve(result);
      });
      port.post(make(id));
    });
  };

  return {
    kind: "editor",
    theme,
    openFile: (path, line) => port.post({ type: "openFile", path, line }),
    showEdit: (edit) => {
      port.post({ type: "showEdit", edit });
      return true;
    },
    applyEdit: (_, edit) => request((id) => ({ type: "applyEdit", id, edit })),
    onNotice: (handler) => {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    copyText: (text) => request((id) => ({ type: "copyText", id, text })),
  };
}
