// Which columns of a table people see, and how wide they are.
import type { Cell, ColumnDef } from "@protocol/messages";
import { formatCell } from "../base/format";
import type { Row, TableWindow } from "./table_window";

export interface ShownColumn {
  readonly index: number; // in rows
  readonly def: ColumnDef;
  readonly least: number; // width in digits
  readonly share: number; // of the room that is left
  readonly isText: boolean;
}

export interface ShownColumns {
  readonly columns: readonly ShownColumn[];
  readonly zeros: readonly ColumnDef[]; // left out, since there is nothing in them
  readonly depth: number; // index of the column that indents rows; -1: none
}

const isNothing = (cell: Cell | undefined): boolean => cell === null || cell === undefined || cell === 0 || cell === "";

export function columnsOf(window: TableWindow): ShownColumns {
  const depth = window.columns.findIndex(({ name }) => name === window.indentBy && name !== "");
  const small = window.wholeIfSmall;
  const all = window.columns.map((def, index) => ({ def, index }));
  const seen =
    depth < 0 ? all : all.filter(({ def, index }) => index !== depth && def.name !== "node" && def.name !== "parent");
  // Only when all rows are known can a column be told to be empty. The first one names the row.
  const isEmpty = (index: number): boolean =>
    small !== undefined && small.length > 0 && index > 0 && small.every((row) => isNothing(row[index]));
  const columns = seen
    .filter(({ index }) => !isEmpty(index))
    .map(({ def, index }, at) => ({
      index,
      def,
      isText: def.unit === "text",
      ...widthOf(def, index, window.firstRows, at === 0 ? depth : -1, at === 0),
    }));
  return { columns, zeros: seen.filter(({ index }) => isEmpty(index)).map(({ def }) => def), depth };
}

// Texts share what is left, by how long they are; numbers get what they need. In widths of a digit.
function widthOf(
  def: ColumnDef,
  index: number,
  rows: readonly Row[],
  depth: number, // the column that indents this one
  isFirst: boolean,
): { least: number; share: number } {
  const indent = (row: Row): number => 2 * Math.min(Number(row[depth] ?? 0), 24);
  const longest = rows.reduce((most, row) => Math.max(most, formatCell(row[index], def.unit).length + indent(row)), 0);
  const bar = def.unit === "share" ? 7 : 0;
  const needed = Math.max(def.title.length + 1, longest + bar) + 3;
  if (def.unit !== "text") return { least: needed, share: 0 };
  return { least: Math.min(needed, isFirst ? 30 : 18), share: Math.min(needed, isFirst ? 90 : 40) };
}

/** What the next click on a column's header sorts by: its natural way, the other way, as it came. */
export function nextSort(def: ColumnDef, sort: string): string {
  const [first, second] = def.unit === "text" ? ["+", "-"] : ["-", "+"];
  if (sort === `${first}${def.name}`) return `${second}${def.name}`;
  return sort === `${second}${def.name}` ? "" : `${first}${def.name}`;
}

export function ariaSort(def: ColumnDef, sort: string): "ascending" | "descending" | "none" {
  if (sort === `+${def.name}`) return "ascending";
  return sort === `-${def.name}` ? "descending" : "none";
}
