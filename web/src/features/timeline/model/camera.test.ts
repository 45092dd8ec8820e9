import { describe, expect, test } from "vitest";
import { between, clampCamera, fitAll, lookAround, nsAt, pan, xOf, zoom } from "./camera";

const bounds = { startNs: 0, endNs: 3_600_000_000_000, widthPx: 1000 };

describe("the camera of the timeline", () => {
  test("gives whole nanoseconds back exactly, an hour after the start", () => {
    const camera = { startNs: 3_599_999_999_001, nsPerPx: 1 };
    expect(nsAt(camera, xOf(camera, 3_599_999_999_877))).toBe(3_599_999_999_877);
  });

  test("keeps what is under the mouse there while zooming through all levels", () => {
    let camera = fitAll(bounds);
    const ns = nsAt(camera, 317);
    for (let i = 0; i < 80; i += 1) camera = zoom(camera, 0.7, 317, bounds);
    expect(camera.nsPerPx).toBe(1 / 32);
    expect(Math.abs(xOf(camera, ns) - 317)).toBeLessThan(0.5);
    for (let i = 0; i < 200; i += 1) camera = zoom(camera, 1.3, 317, bounds);
    expect(camera.nsPerPx).toBeCloseTo(fitAll(bounds).nsPerPx, 3);
  });

  test("never loses sight of the trace", () => {
    const right = clampCamera(pan({ startNs: 0, nsPerPx: 1e6 }, 1e9), bounds);
    expect(xOf(right, bounds.endNs)).toBeCloseTo(500);
    const left = clampCamera(pan({ startNs: 0, nsPerPx: 1e6 }, -1e9), bounds);
    expect(xOf(left, bounds.startNs)).toBeCloseTo(500);
    expect(clampCamera({ startNs: 5e12, nsPerPx: 1e12 }, bounds)).toEqual(fitAll(bounds));
  });

  test("shows a slice of no length", () => {
    const camera = lookAround({ startNs: 50, endNs: 50 }, 1000, 0.8);
    expect(xOf(camera, 50)).toBeCloseTo(500);
  });

  test("goes from one place to another and ends there exactly", () => {
    const from = { startNs: 0, nsPerPx: 1024 };
    const to = { startNs: 700, nsPerPx: 3 };
    expect(between(from, to, 0, 1000)).toEqual(from);
    expect(between(from, to, 1, 1000)).toEqual(to);
    const half = between(from, to, 0.5, 1000);
    expect(half.nsPerPx).toBeCloseTo(Math.sqrt(1024 * 3));
    // What both show at the same place does not move.
    const x = 700 / (1024 - 3);
    expect(nsAt(half, x)).toBeCloseTo(nsAt(to, x), 6);
    expect(between(from, { startNs: 100, nsPerPx: 1024 }, 0.5, 1000)).toEqual({ startNs: 50, nsPerPx: 1024 });
  });
});
