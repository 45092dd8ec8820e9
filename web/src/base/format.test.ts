import { describe, expect, test } from "vitest";
import {
  formatBytes,
  formatCell,
  formatCount,
  formatCounted,
  formatNs,
  formatNumber,
  formatPerSecond,
  formatShare,
} from "./format";

const plain = (text: string): string => text.replace(/[\u202f\u00a0]/g, " ");

describe("times", () => {
  test.each([
    [0, "0 ns"],
    [999, "999 ns"],
    [1000, "1.0 µs"],
    [999_949, "999.9 µs"],
    [999_950, "1.000 ms"],
    [26_400_000, "26.40 ms"],
    [123_456_789, "123.5 ms"],
    [999_960_000, "1.000 s"],
    [12_345_678_901, "12.35 s"],
    [2_000_000_000_000, "2 000 s"],
    [-1500, "−1.5 µs"],
  ])("%d ns is %s", (ns, text) => expect(plain(formatNs(ns))).toBe(text));
});

describe("sizes", () => {
  test.each([
    [0, "0 B"],
    [1023, "1 023 B"],
    [1024, "1.0 KiB"],
    [1_048_525, "1.0 MiB"],
    [2_254_857_830, "2.1 GiB"],
  ])("%d bytes are %s", (bytes, text) => expect(plain(formatBytes(bytes))).toBe(text));
});

describe("shares", () => {
  test.each([
    [0, "0 %"],
    [0.001, "<1 %"],
    [0.454, "45 %"],
    [0.999, ">99 %"],
    [1, "100 %"],
    [-0.2, "−20 %"],
    [NaN, "–"],
  ])("%d is %s", (share, text) => expect(plain(formatShare(share))).toBe(text));
});

test("thousands are set apart by a thin space that does not break", () => {
  expect(formatCount(1214)).toBe("1\u202f214");
  expect(plain(formatCount(12_345_678))).toBe("12 345 678");
  expect(plain(formatCount(-1214))).toBe("−1 214");
});

test("rates lose their decimals when they are large", () => {
  expect(plain(formatPerSecond(1213.6))).toBe("1 214");
  expect(plain(formatPerSecond(12.34))).toBe("12.3");
});

test("one event, two events", () => {
  expect(plain(formatCounted(1, "event", "events"))).toBe("1 event");
  expect(plain(formatCounted(2000, "event", "events"))).toBe("2 000 events");
});

test("cells follow their column's unit, and nothing is a dash", () => {
  expect(plain(formatCell(1500, "ns"))).toBe("1.5 µs");
  expect(plain(formatCell(10 * 2 ** 30, "bytes_per_second"))).toBe("10.0 GiB/s");
  expect(plain(formatCell(0.5, "share"))).toBe("50 %");
  expect(formatCell("aten::mm", "text")).toBe("aten::mm");
  expect(formatCell(null, "ns")).toBe("–");
  expect(formatNumber(1.25)).toBe("1.3");
});
