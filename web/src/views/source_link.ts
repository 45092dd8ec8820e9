// Where a line that a table names leads to.
import type { Cell } from "@protocol/messages";
import { hrefOf } from "../base/url_state";

/** "src/model.py:12" → the address of that line; undefined if the text names no line. */
export function sourceLink(place: Cell | undefined): string | undefined {
  if (typeof place !== "string") return undefined;
  const match = /^(.+):(\d+)$/.exec(place);
  const [, path, line] = match ?? [];
  return path === undefined || line === undefined ? undefined : hrefOf("source", { path, line });
}
