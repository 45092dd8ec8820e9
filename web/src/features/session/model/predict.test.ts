import type { BatchModels } from "@protocol/messages";
import { describe, expect, test } from "vitest";
import { result } from "../../../model/breakdown/session_fake";
import {
  bendOf,
  indexForKey,
  indexForMemory,
  indexForThroughput,
  indexOfBatch,
  lastIndex,
  outlookFor,
  refusal,
  scaleOf,
} from "./predict";

// Rates rise to batch 6 and fall again; 100 bytes per sample.
const rates = [100, 180, 240, 280, 300, 310, 305, 290];
const models = {
  time_doubt: "",
  memory_doubt: "",
  largest: 7,
  largest_is_verified: false,
  largest_is_reached: true,
  best: 6,
  best_samples_per_second: 310,
  knee: 4,
  predictions: {
    batch_size: [1, 2, 3, 4, 5, 6, 7, 8],
    samples_per_second: rates,
    low: rates.map((rate) => rate - 10),
    high: rates.map((rate) => rate + 10),
    peak_bytes: [100, 200, 300, 400, 500, 600, 700, 800],
    peak_low: [100, 200, 300, 400, 500, 600, 700, 800],
    peak_high: [100, 200, 300, 400, 500, 600, 700, 800],
    is_extrapolated: [false, false, false, false, false, true, true, true],
  },
} as unknown as BatchModels;
const sizeAt = (index: number): number => models.predictions.batch_size[index] ?? 0;

describe("lookup", () => {
  test("takes the smallest batch size with at least the throughput", () => {
    expect(sizeAt(indexForThroughput(models, 181, 0))).toBe(3);
    expect(sizeAt(indexForThroughput(models, 180, 0))).toBe(2);
    expect(sizeAt(indexForThroughput(models, 0, 5))).toBe(1);
  });

  test("stays on the branch of the curve where it began", () => {
    const falling = { ...models, largest: 8 };
    expect(sizeAt(indexForThroughput(falling, 305, 7))).toBe(7);
    expect(sizeAt(indexForThroughput(falling, 305, 4))).toBe(6);
    expect(sizeAt(indexForThroughput(falling, 290, 7))).toBe(8);
    expect(sizeAt(indexForThroughput(falling, 290, 4))).toBe(5);
    expect(sizeAt(indexForThroughput(falling, 0, 7))).toBe(8);
  });

  test("takes the one with the most where none has enough, from either side", () => {
    expect(sizeAt(indexForThroughput(models, 1000, 0))).toBe(6);
    expect(sizeAt(indexForThroughput({ ...models, largest: 8 }, 1000, 7))).toBe(6);
  });

  test("tells a curve that bends from one that is level at its end", () => {
    expect(bendOf({ ...models, largest: 8 })).toMatchObject({ first: 1, top: 6, last: 8, lastRate: 290 });
    expect(bendOf({ ...models, largest: 7 })).toBeUndefined();
    expect(bendOf({ ...models, largest: 5 })).toBeUndefined();
  });

  test("takes the largest batch size within the memory, and never one that does not fit", () => {
    expect(sizeAt(indexForMemory(models, 399))).toBe(3);
    expect(sizeAt(indexForMemory(models, 400))).toBe(4);
    expect(sizeAt(indexForMemory(models, 10_000))).toBe(7);
    expect(sizeAt(indexForMemory(models, 1))).toBe(1);
  });

  test("gives the band and says what is extrapolated", () => {
    expect(outlookFor(models, 5)).toMatchObject({
      batchSize: 5,
      perSecond: 300,
      low: 290,
      high: 310,
      peakBytes: 500,
      isExtrapolated: false,
    });
    expect(outlookFor(models, 7).isExtrapolated).toBe(true);
  });

  test("finds the nearest row where sizes are sparse", () => {
    const sparse = {
      ...models,
      largest: 64,
      predictions: { ...models.predictions, batch_size: [1, 2, 4, 8, 16, 32, 48, 64] },
    };
    expect(indexOfBatch(sparse, 40)).toBe(6);
    expect(indexOfBatch(sparse, 33)).toBe(5);
    expect(indexOfBatch(sparse, 1000)).toBe(7);
    expect(indexForKey(sparse, 5, "ArrowRight", false)).toBe(6);
    expect(indexForKey(sparse, 5, "ArrowLeft", false)).toBe(4);
  });
});

test("keys move by one, by a tenth, and to the ends", () => {
  expect(indexForKey(models, 2, "ArrowRight", false)).toBe(3);
  expect(indexForKey(models, 2, "ArrowLeft", false)).toBe(1);
  expect(indexForKey(models, 0, "ArrowLeft", false)).toBe(0);
  expect(indexForKey(models, 2, "PageUp", false)).toBe(3);
  expect(indexForKey(models, 2, "Home", false)).toBe(0);
  expect(indexForKey(models, 2, "End", false)).toBe(lastIndex(models));
  expect(indexForKey(models, 2, "a", false)).toBeUndefined();
});

describe("a bar", () => {
  test("ends at the highest predicted throughput, and at the device's memory", () => {
    const session = result({ models, device: "cuda:0", samples_per_second: 240, peak_bytes: 300, capacity_bytes: 750 });
    expect(scaleOf(session, "throughput")).toMatchObject({ max: 310, now: 240, limit: 310, measuredTo: 300 });
    expect(scaleOf(session, "memory")).toMatchObject({ max: 750, now: 300, limit: 700, measuredTo: 500 });
  });

  test("ends with the predictions where these are far below the device's memory", () => {
    const session = result({ models, device: "cuda:0", peak_bytes: 300, capacity_bytes: 1e9 });
    expect(scaleOf(session, "memory").max).toBeCloseTo(770);
  });

  test("does not hold what torch allocates against the machine's RAM", () => {
    expect(scaleOf(result({ models, peak_bytes: 300, capacity_bytes: 750 }), "memory").max).toBeCloseTo(770);
    expect(scaleOf(result({ peak_bytes: 300, capacity_bytes: 750 }), "memory").max).toBe(300);
  });

  test("says why it cannot be dragged", () => {
    expect(refusal(result({ models }), "throughput")).toBe("");
    expect(refusal(result({ models: { ...models, time_doubt: "The samples disagree." } }), "throughput")).toBe(
      "The samples disagree.",
    );
    expect(refusal(result({ models: { ...models, time_doubt: "The samples disagree." } }), "memory")).toBe("");
    expect(refusal(result({ is_complete: false }), "memory")).toContain("still being measured");
    expect(refusal(result({ failures: [{ batch_size: 1, sentence: "It raised." }] }), "memory")).toContain(
      "It raised.",
    );
  });
});
