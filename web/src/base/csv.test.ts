import { expect, test } from "vitest";
import type { ColumnDef } from "@protocol/messages";
import { csvOf } from "./csv";

const column = (name: string, unit: ColumnDef["unit"]): ColumnDef => ({ name, title: name, unit, definition: "" });

test("the header carries units, and fields are quoted only where they must be", () => {
  const columns = [
    column("name", "text"),
    column("self", "ns"),
    column("size_bytes", "bytes"),
    column("share", "share"),
  ];
  const rows = [
    ["void f<a, b>()", 1500, 0, 0.25],
    ['say "hi"', null, -12, 1],
  ];
  expect(csvOf(columns, rows, 3)).toBe(
    'rank,name,self_ns,size_bytes,share\r\n3,"void f<a, b>()",1500,0,0.25\r\n3,"say ""hi""",,-12,1\r\n',
  );
});

test("a text that a spreadsheet would compute gets an apostrophe, a number keeps its sign", () => {
  const columns = [column("name", "text"), column("delta", "ns")];
  const names = ["=1+2", "+1", "-1", "@A1", "＝1", "\t=1", "\r=1", "a=b", "'=1", "\u202e=1"];
  const records = csvOf(columns, names.map((name) => [name, -5]), 0).split("\r\n"); // prettier-ignore
  expect(records.slice(1, -1)).toEqual(
    ["'=1+2", "'+1", "'-1", "'@A1", "'＝1", "\\t=1", "\\r=1", "a=b", "'=1", "\\u202e=1"].map((name) => `0,${name},-5`),
  );
});
