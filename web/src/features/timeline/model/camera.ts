// Where the timeline looks. Time is in nanoseconds since the start of the earliest opened trace; a number holds whole
// nanoseconds exactly for 104 days, and fractions of them where pixels are finer than that.

export interface Camera {
  readonly startNs: number; // at the left edge
  readonly nsPerPx: number; // CSS pixels
}

export interface TimeSpan {
  readonly startNs: number;
  readonly endNs: number;
}

/** How far the camera may go: what there is, and the width it is shown in. */
export interface Bounds extends TimeSpan {
  readonly widthPx: number;
}

const finestNsPerPx = 1 / 32; // a nanosecond as wide as a short name
const margin = 0.015; // of the whole, left free on both sides when all is shown
const overscroll = 0.5; // of the view may be empty

export function xOf(camera: Camera, ns: number): number {
  return (ns - camera.startNs) / camera.nsPerPx;
}

export function nsAt(camera: Camera, x: number): number {
  return camera.startNs + x * camera.nsPerPx;
}

export function spanOf(camera: Camera, widthPx: number): TimeSpan {
  return { startNs: camera.startNs, endNs: camera.startNs + widthPx * camera.nsPerPx };
}

/** Shows the span, from edge to edge. */
export function lookAt(span: TimeSpan, widthPx: number): Camera {
  const dur = Math.max(span.endNs - span.startNs, widthPx * finestNsPerPx);
  return { startNs: span.startNs, nsPerPx: dur / widthPx };
}

/** Shows the span with some air around it; `share` of the width is the span's. */
export function lookAround(span: TimeSpan, widthPx: number, share: number): Camera {
  const dur = Math.max((span.endNs - span.startNs) / share, widthPx * finestNsPerPx);
  const middle = (span.startNs + span.endNs) / 2;
  return lookAt({ startNs: middle - dur / 2, endNs: middle + dur / 2 }, widthPx);
}

export function fitAll(bounds: Bounds): Camera {
  return lookAround(bounds, bounds.widthPx, 1 / (1 + 2 * margin));
}

export function pan(camera: Camera, px: number): Camera {
  return { startNs: camera.startNs + px * camera.nsPerPx, nsPerPx: camera.nsPerPx };
}

/** Makes a pixel hold `factor` times as much time; what is at `x` stays there. */
export function zoom(camera: Camera, factor: number, x: number, bounds: Bounds): Camera {
  const nsPerPx = within(camera.nsPerPx * factor, bounds);
  return { startNs: nsAt(camera, x) - x * nsPerPx, nsPerPx };
}

function within(nsPerPx: number, bounds: Bounds): number {
  return Math.max(finestNsPerPx, Math.min(nsPerPx, fitAll(bounds).nsPerPx));
}

/** The nearest camera that still shows something. */
export function clampCamera(camera: Camera, bounds: Bounds): Camera {
  const nsPerPx = within(camera.nsPerPx, bounds);
  const view = nsPerPx * bounds.widthPx;
  const whole = bounds.endNs - bounds.startNs;
  const slack = view >= whole ? (view - whole) / 2 : view * overscroll;
  const first = bounds.startNs - slack;
  const last = Math.max(first, bounds.endNs + slack - view);
  return { startNs: Math.max(first, Math.min(camera.startNs, last)), nsPerPx };
}

/** A camera on the way; zooming is even in the logarithm, as the eye expects. `share` goes from 0 to 1. */
export function between(from: Camera, to: Camera, share: number, widthPx: number): Camera {
  if (share >= 1) return to;
  const nsPerPx = from.nsPerPx * (to.nsPerPx / from.nsPerPx) ** share;
  // The point that both show at the same x stays at rest; without one, edges move evenly.
  const ratio = (from.nsPerPx - nsPerPx) / (from.nsPerPx - to.nsPerPx);
  const even = Number.isFinite(ratio) && Math.abs(to.nsPerPx / from.nsPerPx - 1) > 1e-6 ? ratio : share;
  const startNs = from.startNs + (to.startNs - from.startNs) * even;
  return { startNs, nsPerPx: Math.max(nsPerPx, finestNsPerPx / widthPx) };
}
