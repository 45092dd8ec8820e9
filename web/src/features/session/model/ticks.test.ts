import { expect, test } from "vitest";
import { placeTicks } from "./ticks";

const width = (value: number): number => String(value).length * 6.3;
const powers = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384];
const position = (last: number) => (value: number) => 34 + (Math.log(value) / Math.log(last)) * 224;

test("numbers below an axis never collide and never leave the picture", () => {
  for (const last of [12, 100, 1024, 5000, 16384]) {
    const ticks = placeTicks([last, 3, ...powers.filter((value) => value <= last)], position(last), 0, 270);
    expect(ticks.length).toBeGreaterThan(2);
    ticks.forEach(({ value, at }, i) => {
      expect(at - width(value) / 2).toBeGreaterThanOrEqual(0);
      expect(at + width(value) / 2).toBeLessThanOrEqual(270);
      const next = ticks[i + 1];
      if (next !== undefined) expect(next.at - width(next.value) / 2).toBeGreaterThan(at + width(value) / 2 + 4);
    });
  }
});

test("the first named are kept", () => {
  expect(placeTicks([500, ...powers], position(16384), 0, 270).map(({ value }) => value)).toContain(500);
});
