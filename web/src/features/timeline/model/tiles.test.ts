import { describe, expect, test } from "vitest";
import { counterFrame, sliceFrame } from "./fake";
import { decodeCounterTiles, decodeSliceTiles } from "./tiles";

describe("tiles of slices", () => {
  const frame = sliceFrame(7, [
    {
      track: 3,
      entries: [
        { startNs: 5, endNs: 2 ** 52 + 1, slice: 9, name: 4, slices: 1, row: 0, kind: 2 },
        { startNs: 6, endNs: 7, slice: 10, name: 2, slices: 37, row: 12, kind: 0 },
        { startNs: 8, endNs: 9, slice: 4_000_000_000, name: 4, slices: 1, row: 1, kind: 15 },
      ],
      names: [
        [4, "aten::größe"],
        [11, ""],
        [2, "mm"],
      ],
    },
    { track: 8, entries: [], names: [] },
    { track: 1, entries: [{ startNs: 1, endNs: 2, slice: 1, name: 0, slices: 1, row: 0, kind: 5 }], names: [] },
  ]);

  test("are read as protocol/README.md draws them", () => {
    const [first, empty, last] = decodeSliceTiles(frame);
    expect(first).toMatchObject({ track: 3, count: 3 });
    expect([...first!.startNs]).toEqual([5, 6, 8]);
    expect([...first!.endNs]).toEqual([2 ** 52 + 1, 7, 9]);
    expect([...first!.slice]).toEqual([9, 10, 4_000_000_000]);
    expect([...first!.slices]).toEqual([1, 37, 1]);
    expect([...first!.row]).toEqual([0, 12, 1]);
    expect([...first!.kind]).toEqual([2, 0, 15]);
    expect(empty).toMatchObject({ track: 8, count: 0 });
    expect([...last!.kind]).toEqual([5]);
  });

  test("carry the names of what is wide enough", () => {
    const [first] = decodeSliceTiles(frame);
    expect(first!.names().get(4)).toBe("aten::größe");
    expect(first!.names().get(2)).toBe("mm");
    expect(first!.names().get(11)).toBe("");
    expect(first!.names().get(99)).toBeUndefined();
  });

  test("own their memory, so that one can be forgotten without the others", () => {
    const tiles = decodeSliceTiles(frame);
    expect(tiles[0]!.startNs.buffer).not.toBe(tiles[2]!.startNs.buffer);
    expect(tiles[0]!.startNs.buffer).not.toBe(frame);
  });
});

test("tiles of counters are read as protocol/README.md draws them", () => {
  const frame = counterFrame(1, [
    { counter: 5, points: [{ timeNs: 1, low: 2, high: 3, last: 2.5 }] },
    { counter: 6, points: [] },
    { counter: 7, points: [{ timeNs: 2 ** 50, low: -1, high: 4e12, last: 0 }] },
  ]);
  const [first, second, third] = decodeCounterTiles(frame);
  expect(first).toMatchObject({ counter: 5, count: 1 });
  expect(first!.last[0]).toBe(2.5);
  expect(second!.count).toBe(0);
  expect([third!.timeNs[0], third!.low[0], third!.high[0]]).toEqual([2 ** 50, -1, 4e12]);
});
