import { describe, expect, test } from "vitest";
import { type Camera, nsAt, zoom } from "./camera";
import { atRest, levelOf, type TileRun, tilesAhead, tilesWithin, visibleTiles } from "./wanted";

const trace = { startNs: 0, endNs: 60_000_000_000 };
const widthPx = 1080;

test("a bucket of the drawn level is at most a pixel wide and more than half of one", () => {
  expect([1, 1.9, 2, 1000, 1024, 1e6].map(levelOf)).toEqual([0, 0, 1, 9, 10, 19]);
  expect(levelOf(1 / 32)).toBe(0); // there is no level below single nanoseconds
});

test("tiles end where the trace does", () => {
  expect(tilesWithin({ startNs: -5e9, endNs: 1e15 }, 20, trace)).toEqual({ level: 20, first: 0, last: 55 });
  expect(tilesWithin({ startNs: 1024, endNs: 2048 }, 0, trace)).toEqual({ level: 0, first: 1, last: 1 });
  expect(tilesWithin({ startNs: 61e9, endNs: 62e9 }, 20, trace)).toBeUndefined();
});

test("a trace whose events all happen at once has a tile", () => {
  expect(tilesWithin({ startNs: -5, endNs: 5 }, 3, { startNs: 0, endNs: 0 })).toEqual({ level: 3, first: 0, last: 0 });
});

describe("what is asked for ahead", () => {
  const holds = (runs: readonly TileRun[], run: TileRun): boolean => {
    for (let index = run.first; index <= run.last; index += 1) {
      if (!runs.some(({ level, first, last }) => level === run.level && first <= index && index <= last)) return false;
    }
    return true;
  };
  const bounds = { ...trace, widthPx };

  function zoomThrough(factor: number, from: Camera, anchorPx: number): number {
    let camera = from;
    let ahead: readonly TileRun[] = [];
    let missed = 0;
    for (let i = 0; i < 400; i += 1) {
      const visible = visibleTiles(camera, widthPx, trace);
      if (i > 0 && visible !== undefined && !holds(ahead, visible)) missed += 1;
      const now = visible === undefined ? [] : [visible];
      ahead = [...now, ...tilesAhead(camera, widthPx, { zoom: Math.sign(factor - 1), pan: 0, anchorPx }, trace)];
      camera = zoom(camera, factor, anchorPx, bounds);
    }
    return missed;
  }

  test("holds whatever zooming in at the mouse makes visible", () => {
    expect(zoomThrough(0.95, { startNs: 0, nsPerPx: 60e9 / widthPx }, 200)).toBe(0);
    expect(zoomThrough(0.95, { startNs: 0, nsPerPx: 60e9 / widthPx }, 1079)).toBe(0);
  });

  test("holds whatever zooming out makes visible", () => {
    expect(zoomThrough(1.05, { startNs: 30e9, nsPerPx: 2 }, 700)).toBe(0);
  });

  test("holds whatever panning makes visible", () => {
    let camera = { startNs: 10e9, nsPerPx: 1500 };
    let ahead: readonly TileRun[] = tilesAhead(camera, widthPx, atRest, trace);
    for (let i = 0; i < 500; i += 1) {
      camera = { ...camera, startNs: nsAt(camera, 40) };
      expect(holds(ahead, visibleTiles(camera, widthPx, trace)!)).toBe(true);
      ahead = tilesAhead(camera, widthPx, { zoom: 0, pan: 1, anchorPx: 0 }, trace);
    }
  });

  test("is little: at rest, no more than a screen around the view and one level up and down", () => {
    const tiles = tilesAhead({ startNs: 10e9, nsPerPx: 1500 }, widthPx, atRest, trace)
      .map(({ first, last }) => last - first + 1)
      .reduce((sum, count) => sum + count);
    expect(tiles).toBeLessThanOrEqual(14);
  });
});
