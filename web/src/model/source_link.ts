// Where a line that a table names leads to.
import type { Cell } from "@protocol/messages";
import { hrefOf } from "../base/url_state";
import type { FindFile } from "./source_files";

/** The address of a line; undefined if its file cannot be shown. */
export function lineLink(find: FindFile, file: Cell | undefined, line: Cell | undefined): string | undefined {
  if (typeof file !== "string" || typeof line !== "number") return undefined;
  const path = find(file);
  return path === undefined ? undefined : hrefOf("source", { path, line: String(line) });
}

/** The same of "src/model.py:12"; undefined also if the text names no line. */
export function placeLink(find: FindFile, place: Cell | undefined): string | undefined {
  const [, file, line] = /^(.+):(\d+)$/.exec(String(place ?? "")) ?? [];
  return line === undefined ? undefined : lineLink(find, file, Number(line));
}
