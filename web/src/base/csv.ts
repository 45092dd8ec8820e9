// Tables as comma-separated values, as `skyline show --format csv` prints them.
import type { Cell, ColumnDef } from "@protocol/messages";
import { printable } from "./printable";

// A spreadsheet would take it for a formula and compute it. See src/cli/terminal/csv.h.
const formula = /^[=+\-@\uff1d\uff0b\uff0d\uff20]/;

function field(cell: Cell): string {
  const text = typeof cell === "string" ? printable(cell).replace(formula, "'$&") : String(cell ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function record(cells: readonly Cell[]): string {
  return `${cells.map(field).join(",")}\r\n`;
}

// Numbers stand bare, so the header says of what.
function nameOf({ name, unit }: ColumnDef): string {
  if (unit !== "ns" && unit !== "bytes") return name;
  return name.endsWith(`_${unit}`) ? name : `${name}_${unit}`;
}

/** Rows as they are, the header among them. */
export function csvOfRows(rows: readonly (readonly Cell[])[]): string {
  return rows.map(record).join("");
}

export function csvOf(columns: readonly ColumnDef[], rows: readonly (readonly Cell[])[], rank: number): string {
  return [["rank", ...columns.map(nameOf)], ...rows.map((row) => [rank, ...row])].map(record).join("");
}
