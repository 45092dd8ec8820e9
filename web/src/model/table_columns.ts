// Which columns of a table people see, and how wide they are.
import type { Cell, ColumnDef } from "@protocol/messages";
import { formatCell } from "../base/format";
import type { Row, TableWindow } from "./table_window";

export interface ShownColumn {
  readonly index: number; // in rows
  readonly def: ColumnDef;
  readonly width: string; // for grid-template-columns
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
  const seen = depth < 0 ? all : all.filter(({ def, index }) => index !== depth && def.name !== "node" && def.name !== "parent");
  // Only when all rows are known can a column be told to be empty. The first one names the row.
  const isEmpty = (index: number): boolean =>
    small !== undefined && small.length > 0 && index > 0 && small.every((row) => isNothing(row[index]));
  const columns = seen
    .filter(({ index }) => !isEmpty(index))
    .map(({ def, index }, at) => ({
      index,
      def,
      isText: def.unit === "text",
      width: widthOf(def, index, window.firstRows, at === 0),
    }));
  return { columns, zeros: seen.filter(({ index }) => isEmpty(index)).map(({ def }) => def), depth };
}

// Texts share what is left, by how long they are; numbers get what they need.
function widthOf(def: ColumnDef, index: number, rows: readonly Row[], isFirst: boolean): string {
  const longest = rows.reduce((most, row) => Math.max(most, formatCell(row[index], def.unit).length), 0);
  const needed = Math.max(def.title.length + 2, longest);
  if (def.unit === "share") return `${Math.max(needed, 6) + 9}ch`;
  if (def.unit !== "text") return `${needed + 3}ch`;
  const least = Math.min(needed + 3, isFirst ? 30 : 16);
  return `minmax(${least}ch, ${Math.min(needed + 3, isFirst ? 90 : 40)}fr)`;
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
