import { expect, test } from "vitest";
import { readAddress, type TimelineAddress, writeAddress } from "./address";

const nothing: TimelineAddress = {
  startNs: undefined,
  endNs: undefined,
  scroll: 0,
  selected: undefined,
  search: "",
  range: undefined,
  marks: [],
  folds: [],
  isAlone: false,
};

test("what is written is read again", () => {
  const address: TimelineAddress = {
    startNs: -5,
    endNs: 3_600_000_000_001,
    scroll: 320,
    selected: { trace: "a@b/1", slice: 77 },
    search: "aten::mm & more",
    range: [10, 20],
    marks: [5, 6_000_000_000],
    folds: ["a/python 1", "a/t3"],
    isAlone: true,
  };
  expect(readAddress(writeAddress(address))).toEqual(address);
  expect(readAddress(writeAddress(nothing))).toEqual(nothing);
});

test("nothing is written of what is as usual", () => {
  expect(Object.values(writeAddress(nothing)).join("")).toBe("");
});

test("what was typed by hand and makes no sense is as usual", () => {
  const params = { start: "9", end: "3", y: "x", slice: "7", range: "5_", marks: "_a_4", alone: "yes" };
  expect(readAddress(params)).toEqual({ ...nothing, marks: [4] });
});

test("a view between nanoseconds is written so that it holds what is seen", () => {
  expect(writeAddress({ ...nothing, startNs: 1.5, endNs: 2.25 })).toMatchObject({ start: "1", end: "3" });
});
