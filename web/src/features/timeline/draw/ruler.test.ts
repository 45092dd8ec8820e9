import { expect, test } from "vitest";
import { firstStepAfter, formatTick, numberEvery, tickStepNs } from "./ruler";

test("ticks are round and keep their distance on every level", () => {
  for (let nsPerPx = 1 / 32; nsPerPx < 1e11; nsPerPx *= 1.37) {
    const step = tickStepNs(nsPerPx);
    expect(step / nsPerPx).toBeGreaterThanOrEqual(109);
    if (step > 1) expect(step / nsPerPx).toBeLessThan(110 * 2.6);
    expect([1, 2, 5]).toContain(Number(String(step)[0]));
  }
});

test("a tick's text has every digit, in the unit of the distance", () => {
  expect(formatTick(12_345_678_901, 1)).toBe("12\u202f345\u202f678\u202f901\u00a0ns");
  expect(formatTick(12_345_000, 5000)).toBe("12\u202f345\u00a0µs");
  expect(formatTick(3_000_000_000, 500_000_000)).toBe("3\u202f000\u00a0ms");
  expect(formatTick(3_000_000_000, 1_000_000_000)).toBe("3\u00a0s");
  expect(formatTick(-2_000, 1_000)).toBe("−2\u00a0µs");
  expect(formatTick(0, 1_000)).toBe("0");
});

const steps = Array.from({ length: 1000 }, (_, i) => ({ number: i, start_ns: i * 1000, end_ns: i * 1000 + 900 }));

test("numbers of steps keep their distance", () => {
  expect(numberEvery(steps, 10, 64)).toBe(1);
  expect(numberEvery(steps, 100, 64)).toBe(10);
  expect(numberEvery(steps, 30, 64)).toBe(2);
  expect(numberEvery([], 30, 64)).toBe(1);
});

test("the first visible step is found", () => {
  expect(firstStepAfter(steps, -5)).toBe(0);
  expect(firstStepAfter(steps, 5_950)).toBe(6);
  expect(firstStepAfter(steps, 1e9)).toBe(1000);
});
