import { expect, test } from "vitest";
import { CounterColumns } from "./timeline_counters";
import { counterFrame } from "../model/timeline_fake";
import { decodeCounterTiles } from "../model/timeline_tiles";

function columns(points: readonly (readonly [number, number, number, number])[], endX = 10): string[] {
  const [tile] = decodeCounterTiles(
    counterFrame(0, [{ counter: 0, points: points.map(([timeNs, low, high, last]) => ({ timeNs, low, high, last })) }]),
  );
  const all = new CounterColumns();
  all.begin(10);
  all.add(tile!, (ns) => ns, 0, endX);
  return [...all.low].map((low, i) =>
    Number.isNaN(low) ? "-" : low === all.high[i] ? `${low}` : `${low}..${all.high[i]}`,
  );
}

test("a value holds until the next one, and a bucket shows its extremes", () => {
  expect(
    columns([
      [2, 1, 5, 3],
      [6, 4, 4, 4],
    ]),
  ).toEqual(["-", "-", "1..5", "3", "3", "3", "4", "4", "4", "4"]);
});

test("the value from before the view holds at its beginning", () => {
  expect(
    columns(
      [
        [-5, 7, 7, 7],
        [3, 1, 1, 1],
      ],
      5,
    ),
  ).toEqual(["7", "7", "7", "1", "1", "-", "-", "-", "-", "-"]);
});

test("two points in one pixel are one column", () => {
  expect(
    columns(
      [
        [2.1, 1, 2, 2],
        [2.6, 5, 9, 6],
      ],
      4,
    ),
  ).toEqual(["-", "-", "1..9", "6", "-", "-", "-", "-", "-", "-"]);
});
