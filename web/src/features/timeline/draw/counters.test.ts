import { expect, test } from "vitest";
import { CounterColumns } from "./counters";
import { counterFrame } from "../model/fake";
import { pickTiles } from "../model/pick";
import { tileKey } from "../model/cache";
import { type CounterTile, decodeCounterTiles } from "../model/tiles";
import { tileNs } from "../model/wanted";

type Point = readonly [timeNs: number, low: number, high: number, last: number];

function tileOf(points: readonly Point[]): CounterTile {
  const [tile] = decodeCounterTiles(
    counterFrame(0, [{ counter: 0, points: points.map(([timeNs, low, high, last]) => ({ timeNs, low, high, last })) }]),
  );
  return tile!;
}

function texts(all: CounterColumns): string[] {
  return [...all.low].map((low, i) =>
    Number.isNaN(low) ? "-" : low === all.high[i] ? `${low}` : `${low}..${all.high[i]}`,
  );
}

function columns(points: readonly Point[], endX = 10): string[] {
  const all = new CounterColumns();
  all.begin(10);
  all.add(tileOf(points), (ns) => ns, 0, endX);
  return texts(all);
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

test("the last value of a tile says nothing of the time of the next", () => {
  const dur = tileNs(0);
  const tiles = new Map([
    [tileKey("t", 0, 0, 7), tileOf([[0, 9, 9, 9]])],
    [
      tileKey("t", 0, 1, 7),
      tileOf([
        [0, 9, 9, 9],
        [dur * 1.4, 2, 2, 2],
        [dur * 1.8, 3, 3, 3],
      ]),
    ],
  ]);
  const { picks } = pickTiles(tiles, "t", 7, { level: 0, first: 0, last: 1 });
  const all = new CounterColumns();
  all.begin(10);
  all.addPicks(picks, (ns) => (ns / dur) * 5, dur * 2);
  expect(texts(all)).toEqual(["9", "9", "9", "9", "9", "9", "9", "2", "2", "3"]);
});
