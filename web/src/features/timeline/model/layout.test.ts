import { describe, expect, test } from "vitest";
import type { TimelineTrack, TraceSummary } from "@protocol/messages";
import { itemAt, itemsWithin, layOut, rowAt, rowPx, topOfRow, trackItemOf } from "./layout";
import { fakePart, fakeTrack } from "./fake";

const titles = (parts: Parameters<typeof layOut>[0], folds: readonly string[] = []): string[] =>
  layOut(parts, new Set(folds)).items.map((item) =>
    item.kind === "heading" ? `# ${item.title}` : item.kind === "track" ? item.track.name : `~ ${item.counter.name}`,
  );

const tracks: readonly TimelineTrack[] = [
  fakeTrack({ id: 0, name: "main", process: "python 1", rows: 3 }),
  fakeTrack({ id: 1, name: "autograd", process: "python 1", rows: 2 }),
  fakeTrack({ id: 2, name: "stream 7", process: "GPU 0", kind: "stream" }),
  fakeTrack({ id: 3, name: "empty", process: "GPU 0", slices: 0 }),
];
const part = (over: Partial<TraceSummary> = {}) => fakePart(over, tracks);

describe("the layout of tracks", () => {
  test("puts tracks below their process and leaves out those without a slice", () => {
    expect(titles([part()])).toEqual([
      "# python 1",
      "main",
      "autograd",
      "# GPU 0",
      "stream 7",
      "# Counters",
      "~ memory",
    ]);
  });

  test("tells ranks apart when there are several", () => {
    const all = titles([part({ id: "a", rank: 0 }), part({ id: "b", rank: 1 })]);
    expect(all.filter((title) => title.startsWith("#"))).toEqual([
      "# Rank 0 · python 1",
      "# Rank 0 · GPU 0",
      "# Rank 0 · Counters",
      "# Rank 1 · python 1",
      "# Rank 1 · GPU 0",
      "# Rank 1 · Counters",
    ]);
  });

  test("folds a process to its heading and a track to its first row", () => {
    expect(titles([part({ id: "a" })], ["a/python 1"])).toEqual([
      "# python 1",
      "# GPU 0",
      "stream 7",
      "# Counters",
      "~ memory",
    ]);
    const folded = layOut([part({ id: "a" })], new Set(["a/t0"]));
    expect(trackItemOf(folded, "a", 0)?.rows).toBe(1);
    expect(topOfRow(trackItemOf(folded, "a", 0)!, 2)).toBe(trackItemOf(folded, "a", 0)!.top);
  });

  test("gives only what is visible", () => {
    const layout = layOut(
      Array.from({ length: 500 }, (_, i) => part({ id: `t${i}`, rank: i })),
      new Set(),
    );
    const middle = layout.height / 2;
    const seen = itemsWithin(layout, middle, middle + 600);
    expect(seen.length).toBeLessThan(40);
    expect(seen[0]!.top).toBeLessThanOrEqual(middle);
    expect(seen.at(-1)!.top + seen.at(-1)!.height).toBeGreaterThanOrEqual(middle + 600);
    expect(itemsWithin(layout, -100, -50)).toEqual([]);
  });

  test("finds the item and the row under the mouse", () => {
    const layout = layOut([part({ id: "a" })], new Set());
    const main = trackItemOf(layout, "a", 0)!;
    expect(itemAt(layout, main.top + 1)).toBe(main);
    expect(rowAt(main, main.top + 2 * rowPx + 3)).toBe(2);
    expect(rowAt(main, main.top + 3 * rowPx + 3)).toBeUndefined();
    expect(itemAt(layout, layout.height + 1)).toBeUndefined();
    expect(itemAt(layout, -1)).toBeUndefined();
  });
});
