import { expect, test } from "vitest";
import type { Step } from "@protocol/messages";
import { barsOf, medianNs } from "./step_bars";

const step = (number: number, duration: number): Step => ({ number, start_ns: 10, end_ns: 10 + duration });

test("where steps share a bar it shows the longest of them", () => {
  const bars = barsOf([step(0, 5), step(1, 9), step(2, 4), step(3, 1), step(4, 2)], 2);
  expect(bars.map(({ step, count }) => [step.number, count])).toEqual([
    [1, 3],
    [4, 2],
  ]);
});

test("few steps have a bar each", () => {
  expect(barsOf([step(0, 5), step(1, 9)], 200).length).toBe(2);
  expect(barsOf([], 200)).toEqual([]);
});

test("the median of an even number lies between the two in the middle", () => {
  expect(medianNs([step(0, 104), step(1, 134)])).toBe(119);
  expect(medianNs([step(0, 9), step(1, 1), step(2, 4)])).toBe(4);
});
