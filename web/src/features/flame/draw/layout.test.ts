import { describe, expect, test } from "vitest";
import type { Flame } from "@protocol/messages";
import { boxAt, boxesOf, layoutFlame, neighbour, pathTo, searchFlame, windowOf } from "./layout";

// all 100 ┬ train 80 ┬ mm 30
//         │          └ train 50 ─ add 50
//         └ load 20
const flame: Flame = {
  names: ["all", "train", "mm", "add", "load"],
  places: [{ file: "src/model.py", line: 3, function: "train" }],
  name: [0, 1, 2, 1, 3, 4],
  place: [-1, 0, -1, -1, -1, -1],
  parent: [-1, 0, 1, 1, 3, 0],
  total_ns: [100, 80, 30, 50, 50, 20],
  self_ns: [0, 0, 30, 0, 50, 20],
  calls: [1, 1, 1, 1, 1, 1],
  left_out: 0,
};
const layout = layoutFlame(flame);

test("children stand side by side below their parent", () => {
  expect([...layout.start]).toEqual([0, 0, 0, 30, 30, 80]);
  expect([...layout.depth]).toEqual([0, 1, 2, 2, 3, 1]);
  expect(layout.rows).toBe(4);
});

test("everything fits the width, and parents are as wide as the times say", () => {
  const boxes = boxesOf(flame, layout, { start: 0, end: 100 }, 1000);
  expect(boxes.map(({ node, x, width }) => [node, x, width])).toContainEqual([3, 300, 500]);
  expect(boxAt(boxes, 310, 2)?.node).toBe(3);
  expect(boxAt(boxes, 850, 2)).toBeUndefined();
});

test("zoomed, a node and those around it reach from edge to edge", () => {
  const boxes = boxesOf(flame, layout, windowOf(flame, layout, 3), 1000);
  expect(boxes.map(({ node, x, width }) => [node, x, width])).toEqual([
    [0, 0, 1000],
    [1, 0, 1000],
    [3, 0, 1000],
    [4, 0, 1000],
  ]);
});

test("what would be thinner than a pixel is left out", () => {
  expect(boxesOf(flame, layout, { start: 0, end: 100 }, 1).map(({ node }) => node)).toEqual([0, 1, 3, 4]);
});

test("the way to a node begins at everything", () => expect(pathTo(flame, 4)).toEqual([0, 1, 3, 4]));

describe("search", () => {
  test("time within a match is counted once", () => {
    const matches = searchFlame(flame, "TRAIN");
    expect(matches.count).toBe(2);
    expect(matches.total_ns).toBe(80);
  });

  test("files are searched too", () => expect([...searchFlame(flame, "model.py").isMatch]).toEqual([0, 1, 0, 0, 0, 0]));

  test("nothing found is nothing", () => expect(searchFlame(flame, "conv").count).toBe(0));
});

test("arrow keys lead to parent, largest child and siblings, and stop at the edges", () => {
  expect(neighbour(flame, 1, "down")).toBe(3);
  expect(neighbour(flame, 3, "left")).toBe(2);
  expect(neighbour(flame, 3, "right")).toBe(3);
  expect(neighbour(flame, 1, "right")).toBe(5);
  expect(neighbour(flame, 3, "up")).toBe(1);
  expect(neighbour(flame, 0, "up")).toBe(0);
  expect(neighbour(flame, 0, "left")).toBe(0);
  expect(neighbour(flame, 5, "down")).toBe(5);
});
