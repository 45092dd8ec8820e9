// What differs between the places where the page can run: a browser, or the webview of an editor. Nothing else in
// the page may ask where it is.
import type { ApplyParams, Edit } from "@protocol/messages";
import type { ReadonlySignal } from "@preact/signals";
import type { Result } from "../base/result";

export type Theme = "light" | "dark";

/** What an editor tells: a file was written, or there are changes that are in no file yet. */
export type FileNotice =
  { readonly kind: "saved"; readonly path: string } | { readonly kind: "unsaved"; readonly isUnsaved: boolean };

export interface Host {
  readonly kind: "browser" | "editor";
  readonly theme: ReadonlySignal<Theme>;
  /** Shows a line of a file: in the page's own source pane, or in the editor. */
  openFile(path: string, line: number): void;
  /** Shows how the file would look, or, without an edit, no longer. False: the page must show it itself. */
  showEdit(edit: Edit | undefined): boolean;
  /** Makes the change: the server writes the file, or the editor changes its buffer and saves it. */
  applyEdit(params: ApplyParams, edit: Edit): Promise<Result<void>>;
  /** Calls `handler` for each notice; call what it gives to stop that. */
  onNotice(handler: (notice: FileNotice) => void): () => void;
  copyText(text: string): Promise<Result<void>>;
}
