import { describe, expect, test } from "vitest";
import { type Box, placeTip } from "./tip_place";

const tip = { width: 300, height: 180 };
const window = { width: 1100, height: 700 };

function covers(about: Box, { left, top }: { readonly left: number; readonly top: number }): boolean {
  return left < about.right && left + tip.width > about.left && top < about.bottom && top + tip.height > about.top;
}

describe("a tip", () => {
  test("never covers what it explains where a side has room", () => {
    const sides = ["right", "left", "below", "above"] as const;
    for (const about of [
      { left: 700, top: 100, right: 860, bottom: 300 }, // no room to the right
      { left: 10, top: 100, right: 160, bottom: 690 },
      { left: 500, top: 600, right: 1090, bottom: 690 },
      { left: 0, top: 250, right: 1100, bottom: 271 }, // a line of code
      { left: 0, top: 660, right: 1100, bottom: 681 },
    ]) {
      expect(covers(about, placeTip(about, tip, window, sides))).toBe(false);
    }
  });

  test("takes the first side that has room", () => {
    const about = { left: 400, top: 300, right: 500, bottom: 320 };
    expect(placeTip(about, tip, window, ["right", "left"]).left).toBe(508);
    expect(placeTip(about, tip, window, ["left", "right"]).left).toBe(92);
    expect(placeTip(about, tip, window, ["below", "right"]).top).toBe(328);
  });

  test("stays in the window", () => {
    const about = { left: 0, top: 0, right: 1100, bottom: 700 };
    const { left, top } = placeTip(about, tip, window, ["right", "below"]);
    expect(left + tip.width).toBeLessThanOrEqual(1100);
    expect(top + tip.height).toBeLessThanOrEqual(700);
  });
});
