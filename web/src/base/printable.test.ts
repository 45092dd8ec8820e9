import { describe, expect, test } from "vitest";
import { printable, printableLines } from "./printable";

describe("text that is safe to show", () => {
  test("ordinary text is untouched", () => {
    const text = "aten::mm [32, 64] → µs 日本 1\u202f234\u00a0ns 😀";
    expect(printable(text)).toBe(text);
    expect(printableLines(text)).toBe(text);
  });

  test("control characters are visible, as in the terminal", () => {
    expect(printable("\x1b]0;owned\x07 \u009b31m \x7f \0")).toBe("\\x1b]0;owned\\x07 \\u009b31m \\x7f \\x00");
    expect(printable("a\nb\tc\rd")).toBe("a\\nb\\tc\\rd");
  });

  test("no mark of direction and no separator of lines passes", () => {
    for (const code of [0x061c, 0x200e, 0x200f, 0x2028, 0x2029, ...range(0x202a, 0x202e), ...range(0x2066, 0x2069)]) {
      const shown = `a\\u${code.toString(16).padStart(4, "0")}b`;
      expect(printable(`a${String.fromCodePoint(code)}b`)).toBe(shown);
      expect(printableLines(`a${String.fromCodePoint(code)}b`)).toBe(shown);
    }
    expect(printable("\u{e0041}")).toBe("\\U000e0041");
  });

  test("lines and columns stay where they are wanted", () => {
    expect(printableLines("a\nb\tc\r\nd\re\x1b")).toBe("a\nb\tc\r\nd\\re\\x1b");
  });
});

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}
