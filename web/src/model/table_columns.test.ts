import { describe, expect, test } from "vitest";
import type { Cell, ColumnDef } from "@protocol/messages";
import { ok } from "../base/result";
import { ariaSort, columnsOf, nextSort } from "./table_columns";
import { TableWindow } from "./table_window";

const column = (name: string, unit: ColumnDef["unit"]): ColumnDef => ({ name, title: name, unit, definition: "" });

async function windowOf(columns: readonly ColumnDef[], rows: Cell[][], indent_by = "", row_count = rows.length) {
  const answer = async () => ok({ columns, rows, row_count, indent_by });
  const result = await TableWindow.open({ trace: "a", name: "t" }, undefined, answer as never);
  if (!result.ok) throw new Error(result.sentence);
  return result.value;
}

const tree = [
  column("module", "text"),
  column("total", "ns"),
  column("data", "ns"),
  column("depth", "number"),
  column("node", "number"),
];

describe("columns that people see", () => {
  test("the tree's own columns become indentation, and empty ones are named apart", async () => {
    const rows: Cell[][] = [
      ["net", 10, 0, 0, 0],
      ["net.layer", 4, 0, 1, 1],
    ];
    const shown = columnsOf(await windowOf(tree, rows, "depth"));
    expect(shown.columns.map(({ def }) => def.name)).toEqual(["module", "total"]);
    expect(shown.zeros.map(({ name }) => name)).toEqual(["data"]);
    expect(shown.depth).toBe(3);
  });

  test("while not all rows are known no column is called empty", async () => {
    const shown = columnsOf(await windowOf(tree, [["net", 0, 0, 0, 0]], "", 5000));
    expect(shown.zeros).toEqual([]);
    expect(shown.columns.length).toBe(5);
  });

  test("a deeper row needs a wider column", async () => {
    const width = async (depth: number) =>
      columnsOf(await windowOf(tree, [["net", 1, 1, depth, 0]], "depth")).columns[0]?.least ?? 0;
    expect(await width(5)).toBeGreaterThan(await width(0));
  });
});

describe("sorting by a click", () => {
  test("numbers begin with the largest, texts with A, and a third click undoes", () => {
    const total = column("total", "ns");
    expect(nextSort(total, "")).toBe("-total");
    expect(nextSort(total, "-total")).toBe("+total");
    expect(nextSort(total, "+total")).toBe("");
    expect(nextSort(column("module", "text"), "-total")).toBe("+module");
  });

  test("readers hear the way", () => {
    expect(ariaSort(column("total", "ns"), "-total")).toBe("descending");
    expect(ariaSort(column("total", "ns"), "+total")).toBe("ascending");
    expect(ariaSort(column("calls", "count"), "+total")).toBe("none");
  });
});
