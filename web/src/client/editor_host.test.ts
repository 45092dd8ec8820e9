import { describe, expect, test } from "vitest";
import type { Edit } from "@protocol/messages";
import { editorPort, type FromEditor, makeEditorHost, type ToEditor } from "./editor_host";
import type { FileNotice } from "./host";

const edit: Edit = {
  path: "train.py",
  line: 3,
  begin_column: 4,
  end_column: 6,
  old_text: "32",
  new_text: "48",
  file_hash: "h",
};

function makeEditor() {
  const sent: ToEditor[] = [];
  let say: (message: FromEditor) => void = () => undefined;
  const host = makeEditorHost({ post: (message) => sent.push(message), listen: (handler) => (say = handler) });
  return { host, sent, say: (message: FromEditor) => say(message) };
}

describe("the page in an editor", () => {
  test("files are opened by the editor", () => {
    const { host, sent } = makeEditor();
    host.openFile("train.py", 12);
    expect(sent).toEqual([{ type: "openFile", path: "train.py", line: 12 }]);
  });

  test("an edit is shown by the editor, not by the page", () => {
    const { host, sent } = makeEditor();
    expect(host.showEdit(edit)).toBe(true);
    expect(sent).toEqual([{ type: "showEdit", edit }]);
  });

  test("an edit is applied when the editor says so", async () => {
    const { host, sent, say } = makeEditor();
    const applied = host.applyEdit({ save: 1, batch_size: 48, file_hash: "h" }, edit);
    expect(sent).toEqual([{ type: "applyEdit", id: 0, edit }]);
    say({ type: "done", id: 0, trouble: "" });
    expect(await applied).toEqual({ ok: true, value: undefined });
  });

  test("answers find their requests in any order, and trouble is told", async () => {
    const { host, say } = makeEditor();
    const first = host.copyText("a");
    const second = host.copyText("b");
    say({ type: "done", id: 1, trouble: "" });
    say({ type: "done", id: 0, trouble: "no clipboard" });
    expect((await second).ok).toBe(true);
    expect(await first).toEqual({ ok: false, sentence: "no clipboard" });
  });

  test("notices reach those who listen, until they stop", () => {
    const { host, say } = makeEditor();
    const heard: FileNotice[] = [];
    const stop = host.onNotice((notice) => heard.push(notice));
    say({ type: "notice", notice: { kind: "unsaved", isUnsaved: true } });
    stop();
    say({ type: "notice", notice: { kind: "saved", path: "train.py" } });
    expect(heard).toEqual([{ kind: "unsaved", isUnsaved: true }]);
  });

  test("the editor's theme is the page's", () => {
    const { host, say } = makeEditor();
    say({ type: "theme", theme: "dark" });
    expect(host.theme.value).toBe("dark");
    expect(document.documentElement.dataset["theme"]).toBe("dark");
  });

  test("a browser is no editor, and a webview is", () => {
    expect(editorPort()).toBeUndefined();
    const sent: unknown[] = [];
    globalThis.acquireVsCodeApi = () => ({ postMessage: (message) => sent.push(message) });
    const host = makeEditorHost(editorPort()!);
    globalThis.acquireVsCodeApi = undefined;
    host.openFile("train.py", 1);
    expect(sent).toEqual([{ type: "openFile", path: "train.py", line: 1 }]);
    dispatchEvent(new MessageEvent("message", { data: { type: "theme", theme: "dark" } }));
    expect(host.theme.value).toBe("dark");
  });
});
