import { expect, test, vi } from "vitest";
import type { Cell, TableParams } from "@protocol/messages";
import { failure, ok } from "../base/result";
import { TableWindow } from "./table_window";

function serverWith(rowCount: number) {
  const asked: TableParams[] = [];
  const rows: Cell[][] = Array.from({ length: rowCount }, (_, at) => [`row ${at}`]);
  const answer = async (_: string, params: unknown) => {
    const { offset = 0, limit = 200 } = params as TableParams;
    asked.push(params as TableParams);
    if (rowCount === 0) return failure("there is no such table");
    return ok({ columns: [], rows: rows.slice(offset, offset + limit), row_count: rowCount, indent_by: "" });
  };
  return { asked, ask: answer as never };
}

async function opened(rowCount: number) {
  const server = serverWith(rowCount);
  const result = await TableWindow.open({ trace: "a", name: "ops" }, undefined, server.ask);
  if (!result.ok) throw new Error(result.sentence);
  return { window: result.value, asked: server.asked };
}

test("rows are asked for when they come into view, and only once", async () => {
  const { window, asked } = await opened(1000);
  expect(window.row(0)).toEqual(["row 0"]);
  expect(window.row(450)).toBeUndefined();
  window.need(390, 420);
  window.need(395, 425);
  await vi.waitFor(() => expect(window.row(420)).toEqual(["row 420"]));
  expect(window.row(390)).toEqual(["row 390"]);
  expect(asked.map(({ offset }) => offset)).toEqual([0, 200, 400]);
});

test("nothing is asked for beyond the end", async () => {
  const { window, asked } = await opened(150);
  window.need(0, 500);
  expect(asked.length).toBe(1);
  expect(window.wholeIfSmall?.length).toBe(150);
});

test("all rows are fetched for copying, however many", async () => {
  const { window } = await opened(25_000);
  const rows = await window.all();
  expect(rows.ok && rows.value.length).toBe(25_000);
  expect(window.wholeIfSmall).toBeUndefined();
});

test("a table that cannot be made says why", async () => {
  const result = await TableWindow.open({ trace: "a", name: "x" }, undefined, serverWith(0).ask);
  expect(result).toEqual({ ok: false, sentence: "there is no such table" });
});
