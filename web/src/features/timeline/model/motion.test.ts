import { describe, expect, test } from "vitest";
import { nsAt } from "./camera";
import { CameraMotion } from "./motion";

const bounds = { startNs: 0, endNs: 1e9, widthPx: 1000 };
const begin = { startNs: 4e8, nsPerPx: 1e5 };

describe("the camera's motion", () => {
  test("a flight takes at most 150 ms and ends exactly", () => {
    const motion = new CameraMotion(begin, () => false);
    const to = { startNs: 4.2e8, nsPerPx: 2e4 };
    motion.flyTo(to, bounds, 1000);
    expect(motion.hint().zoom).toBe(-1);
    motion.advance(1050, bounds);
    expect(motion.camera.nsPerPx).toBeLessThan(begin.nsPerPx);
    expect(motion.camera.nsPerPx).toBeGreaterThan(to.nsPerPx);
    motion.advance(1150, bounds);
    expect(motion.camera).toEqual(to);
    expect(motion.isMoving).toBe(false);
  });

  test("a held key zooms at the mouse until it is released", () => {
    const motion = new CameraMotion(begin, () => false);
    motion.anchorPx = 300;
    const under = nsAt(motion.camera, 300);
    motion.press("in", bounds, 0);
    for (let ms = 16; ms <= 220; ms += 17) motion.advance(ms, bounds);
    motion.release("in");
    motion.advance(230, bounds);
    motion.advance(247, bounds);
    expect(motion.isMoving).toBe(false);
    expect(begin.nsPerPx / motion.camera.nsPerPx).toBeGreaterThan(1.9);
    expect(begin.nsPerPx / motion.camera.nsPerPx).toBeLessThan(2.3);
    expect(nsAt(motion.camera, 300)).toBeCloseTo(under, 3);
  });

  test("a tap moves a little, even when it is over before the next frame", () => {
    const motion = new CameraMotion(begin, () => false);
    motion.press("right", bounds, 0);
    motion.release("right");
    for (let ms = 16; ms < 300; ms += 16) motion.advance(ms, bounds);
    const px = (motion.camera.startNs - begin.startNs) / begin.nsPerPx;
    expect(px).toBeGreaterThan(60);
    expect(px).toBeLessThan(160);
  });

  test("with reduced motion everything happens at once", () => {
    const motion = new CameraMotion(begin, () => true);
    motion.flyTo({ startNs: 1, nsPerPx: 7 }, bounds, 0);
    expect(motion.camera).toEqual({ startNs: 1, nsPerPx: 7 });
    motion.press("out", bounds, 0);
    expect(motion.camera.nsPerPx).toBeCloseTo(10.5);
    expect(motion.isMoving).toBe(false);
  });

  test("after a hiccup the view does not leap", () => {
    const motion = new CameraMotion(begin, () => false);
    motion.press("right", bounds, 0);
    motion.advance(16, bounds);
    const before = motion.camera.startNs;
    motion.advance(5000, bounds);
    expect((motion.camera.startNs - before) / begin.nsPerPx).toBeLessThan(60);
  });
});
