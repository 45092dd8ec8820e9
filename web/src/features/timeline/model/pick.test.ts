import { describe, expect, test } from "vitest";
import { tileKey } from "./cache";
import { sliceFrame } from "./fake";
import { entryAt, entryBeside, longestWithin, pickTiles } from "./pick";
import { decodeSliceTiles } from "./tiles";

describe("what is drawn of a track", () => {
  const known = (...keys: [number, number][]) =>
    new Map(keys.map(([level, index]) => [tileKey("t", level, index, 0), `${level}/${index}`]));
  const pick = (tiles: Map<string, string>, level: number, first: number, last: number) => {
    const { picks, missing } = pickTiles(tiles, "t", 0, { level, first, last });
    return { shown: picks.map(({ tile, clipStartNs, clipEndNs }) => [tile, clipStartNs, clipEndNs]), missing };
  };

  test("are the tiles of the view's level", () => {
    const { picks, missing } = pickTiles(known([2, 4], [2, 5]), "t", 0, { level: 2, first: 4, last: 5 });
    expect(missing).toBe(0);
    // What reaches over both is drawn once, by the first.
    expect(picks.map(({ fromNs }) => fromNs)).toEqual([-Infinity, 5 * 4096]);
  });

  test("where one is missing, the nearest coarser one stands in for its stretch alone", () => {
    expect(pick(known([2, 4], [4, 1], [6, 0]), 2, 4, 5)).toEqual({
      shown: [
        ["2/4", -Infinity, Infinity],
        ["4/1", 5 * 4096, 6 * 4096],
      ],
      missing: 1,
    });
  });

  test("without a coarser one, finer ones do", () => {
    expect(pick(known([1, 10], [0, 22]), 2, 5, 5)).toEqual({ shown: [["1/10", 20480, 22528]], missing: 1 });
  });

  test("after a missing tile, what reaches in from it is drawn", () => {
    const { picks } = pickTiles(known([2, 6]), "t", 0, { level: 2, first: 5, last: 6 });
    expect(picks.map(({ fromNs }) => fromNs)).toEqual([-Infinity]);
  });

  test("nothing is known at first", () => {
    expect(pick(new Map(), 0, 0, 3)).toEqual({ shown: [], missing: 4 });
  });
});

describe("what is under the mouse", () => {
  const entry = (startNs: number, endNs: number, row: number) => ({
    startNs,
    endNs,
    slice: startNs,
    name: 0,
    slices: 1,
    row,
    kind: 0,
  });
  const entries = [entry(10, 20, 0), entry(30, 40, 0), entry(30, 31, 1), entry(33, 39, 1), entry(40, 41, 1)];
  const [tile] = decodeSliceTiles(sliceFrame(0, [{ track: 0, entries, names: [] }]));
  const picked = {
    picks: [
      {
        tile: tile!,
        startNs: -Infinity,
        endNs: Infinity,
        fromNs: -Infinity,
        clipStartNs: -Infinity,
        clipEndNs: Infinity,
      },
    ],
    missing: 0,
  };
  const slice = (found: ReturnType<typeof entryAt>) =>
    found === undefined ? undefined : found.tile.slice[found.index];

  test("is the slice at that time and row", () => {
    expect(slice(entryAt(picked, 0, 15, 0))).toBe(10);
    expect(slice(entryAt(picked, 1, 35, 0))).toBe(33);
    expect(slice(entryAt(picked, 0, 25, 0))).toBeUndefined();
    expect(slice(entryAt(picked, 7, 15, 100))).toBeUndefined();
  });

  test("or the nearest within reach, so that thin ones can be hit", () => {
    expect(slice(entryAt(picked, 0, 23, 5))).toBe(10);
    expect(slice(entryAt(picked, 0, 26, 5))).toBe(30);
    expect(slice(entryAt(picked, 0, 50, 5))).toBeUndefined();
  });

  test("has neighbours and, a row below, what it encloses", () => {
    expect(slice(entryBeside(picked, 0, 10, 1))).toBe(30);
    expect(slice(entryBeside(picked, 0, 30, -1))).toBe(10);
    expect(slice(entryBeside(picked, 0, 30, 1))).toBeUndefined();
    expect(slice(longestWithin(picked, 1, 30, 40))).toBe(33);
    expect(slice(longestWithin(picked, 1, 10, 20))).toBeUndefined();
  });
});
