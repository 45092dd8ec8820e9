import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { colourIndex, makePalette, shadeCount, shadeOf } from "./palette";
import type { Packed } from "./raster";

const kinds = [
  "communication",
  "cpu_op",
  "user_annotation",
  "python_function",
  "runtime",
  "kernel",
  "memcpy",
  "no such",
];

function readTheme(theme: "light" | "dark"): (name: string) => readonly [number, number, number] {
  const css = readFileSync("src/base/theme.css", "utf8");
  const block = css.slice(css.indexOf(`:root[data-theme="${theme}"]`));
  return (name) => {
    const hex = block.match(new RegExp(`${name}: #(\\w{6})`))?.[1] ?? "";
    expect(hex, name).not.toBe("");
    return [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16)) as [number, number, number];
  };
}

function luminance(colour: Packed): number {
  const linear = [0, 8, 16].map((shift) => {
    const channel = ((colour >>> shift) & 255) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * linear[0]! + 0.7152 * linear[1]! + 0.0722 * linear[2]!;
}

function contrast(a: Packed, b: Packed): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

describe.each(["light", "dark"] as const)("the %s palette", (theme) => {
  const palette = makePalette(readTheme(theme), kinds);

  test("can be read: 4.5 to 1 for names on every shade of every role", () => {
    kinds.forEach((kind, i) => {
      for (let shade = 0; shade < shadeCount; shade += 1) {
        const colour = palette.slices[colourIndex(i, shade, false)]!;
        expect(contrast(colour, palette.onRole), kind).toBeGreaterThan(4.5);
      }
    });
  });

  test("gives each role a colour of its own, paler where several slices are one", () => {
    const of = (kind: string, isJoined = false): Packed =>
      palette.slices[colourIndex(kinds.indexOf(kind), 0, isJoined)]!;
    expect(new Set(["python_function", "runtime", "kernel", "memcpy"].map((each) => of(each))).size).toBe(4);
    expect(contrast(of("kernel", true), palette.ground)).toBeLessThan(contrast(of("kernel"), palette.ground));
  });
});

test("shades keep their hue", () => {
  const palette = makePalette(readTheme("light"), ["kernel"]);
  for (let shade = 0; shade < shadeCount; shade += 1) {
    const colour = palette.slices[colourIndex(0, shade, true)]!;
    const [red, green, blue] = [0, 8, 16].map((shift) => (colour >>> shift) & 255) as [number, number, number];
    expect(red).toBeLessThan(green);
    expect(green).toBeLessThan(blue);
  }
});

test("ids spread evenly over the shades", () => {
  const seen = [0, 0, 0, 0];
  for (let id = 0; id < 1000; id += 1) seen[shadeOf(id)]! += 1;
  expect(Math.min(...seen)).toBeGreaterThan(150);
});
