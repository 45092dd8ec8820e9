import { describe, expect, test } from "vitest";
import { entry } from "../../../model/breakdown/session_fake";
import { saveRows, sparkline, wholeChange } from "./history";
import { placeLabels } from "./labels";

describe("labels", () => {
  test("stand in the middle of their segments where there is room", () => {
    expect(placeLabels([100, 60], 20)).toEqual([
      { index: 0, top: 40 },
      { index: 1, top: 120 },
    ]);
  });

  test("never overlap and never leave the column", () => {
    for (const heights of [
      [200, 3, 3, 3, 3],
      [3, 3, 3, 200],
      [3, 100, 2, 2, 2, 2, 100, 3],
      [1, 1, 1, 1, 1],
    ]) {
      const spots = placeLabels(heights, 18);
      const whole = heights.reduce((a, b) => a + b, 0);
      spots.forEach(({ top }, i) => {
        expect(top).toBeGreaterThanOrEqual(0);
        expect(top + 18).toBeLessThanOrEqual(whole);
        const next = spots[i + 1];
        if (next !== undefined) expect(next.top).toBeGreaterThanOrEqual(top + 18 - 1e-9);
      });
    }
  });

  test("stay at their segments: within those that are high enough, and near the others", () => {
    for (const heights of [
      [128, 82, 44, 18, 2],
      [217, 5, 5, 6, 40, 1],
      [40, 2, 2, 2, 2, 2, 2, 40, 60],
      [3, 3, 3, 200],
    ]) {
      const tops = heights.map((_, i) => heights.slice(0, i).reduce((a, b) => a + b, 0));
      for (const { index, top } of placeLabels(heights, 18)) {
        const begin = tops[index] ?? 0;
        const end = begin + (heights[index] ?? 0);
        if (end - begin >= 18) {
          expect(top).toBeGreaterThanOrEqual(begin - 1e-9);
          expect(top + 18).toBeLessThanOrEqual(end + 1e-9);
        } else {
          expect(Math.abs(top + 9 - (begin + end) / 2)).toBeLessThanOrEqual(2 * 18);
        }
      }
    }
  });

  test("of the lowest segments are left out where there is no room", () => {
    expect(placeLabels([30, 2, 10], 20).map(({ index }) => index)).toEqual([0, 2]);
    expect(placeLabels([5, 5], 20)).toEqual([]);
  });
});

describe("saves", () => {
  const history = [
    entry(1, 100),
    entry(2, 0, { trouble: "It raised." }),
    entry(3, 120, { peak_bytes: 1500 }),
    entry(4, 121),
  ];

  test("are compared with the last one that has a number", () => {
    const rows = saveRows(history);
    expect(rows[0]?.speedChange).toBeUndefined();
    expect(rows[1]?.speedChange).toBeUndefined();
    expect(rows[2]?.speedChange).toBeCloseTo(0.2);
    expect(rows[2]?.memoryChange).toBeCloseTo(0.5);
  });

  test("that differ by less than both are uncertain are not clearly different", () => {
    expect(saveRows(history).map(({ isClear }) => isClear)).toEqual([false, false, true, false]);
  });

  test("without a number leave a gap in the line", () => {
    expect(sparkline(history).map(({ y }) => y)).toEqual([0, undefined, expect.closeTo(20 / 21), 1]);
    expect(wholeChange(history)).toBeCloseTo(0.21);
    expect(wholeChange([entry(1, 100)])).toBeUndefined();
  });
});
