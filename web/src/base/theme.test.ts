// theme.css as it is: both themes are whole, and all text in them can be read.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { roleOf } from "./roles";

const css = readFileSync("src/base/theme.css", "utf-8");

function colorsOf(selector: string): Readonly<Record<string, string>> {
  const begin = css.indexOf(selector);
  expect(begin).toBeGreaterThanOrEqual(0);
  const block = css.slice(css.indexOf("{", begin), css.indexOf("}", begin));
  return Object.fromEntries(
    [...block.matchAll(/--([a-z-]+):\s*(#[0-9a-f]{6})/g)].map(([, name, color]) => [name, color]),
  );
}

const light = colorsOf(':root[data-theme="light"]');
const dark = colorsOf(':root[data-theme="dark"]');

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

const surfaces = ["bg", "soft", "highlight", "selected"];
const texts = ["fg", "dim", "accent", "good", "note", "bad"];
const notRoles = new Set([...surfaces, ...texts, "line", "on-accent", "on-role"]);
const roles = Object.keys(light).filter((name) => !notRoles.has(name));

test("a chosen dark theme and the system's are the same, and both name all colours", () => {
  expect(colorsOf(':root:not([data-theme="light"])')).toEqual(dark);
  expect(Object.keys(dark).sort()).toEqual(Object.keys(light).sort());
  expect(roles.length).toBeGreaterThan(10);
});

describe.each([
  ["light", light],
  ["dark", dark],
])("%s", (_, colors) => {
  const color = (name: string): string => colors[name] ?? "";

  test.each(surfaces.flatMap((surface) => texts.map((text) => [text, surface])))("%s can be read on %s", (text, on) =>
    expect(contrast(color(text), color(on))).toBeGreaterThanOrEqual(4.5),
  );

  test.each(roles)("text can be read on %s", (role) =>
    expect(contrast(color("on-role"), color(role))).toBeGreaterThanOrEqual(4.5),
  );

  test.each(roles)("%s stands out from the page", (role) =>
    expect(contrast(color(role), color("bg"))).toBeGreaterThanOrEqual(1.3),
  );

  test("text can be read on the accent", () =>
    expect(contrast(color("on-accent"), color("accent"))).toBeGreaterThanOrEqual(4.5));
});

test("every role that a word can have has its colour", () => {
  for (const word of ["kernel", "backward", "optimizer_state", "temporaries", "python", "recompute", "a new word"]) {
    expect(roles).toContain(roleOf(word));
  }
});
