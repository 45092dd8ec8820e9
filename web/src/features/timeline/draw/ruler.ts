// The ruler above the tracks: times in whole units, and steps with their numbers.
import type { Step } from "@protocol/messages";
import { formatCount } from "../../../base/format";
import { type Camera, xOf } from "../model/camera";
import type { LabelSprites } from "./labels";
import type { Palette } from "./palette";
import type { Raster } from "./raster";
import { stepRowPx, tickRowPx } from "./scene";

const leastTickPx = 110;

const units = [
  { ns: 1e9, suffix: "s" },
  { ns: 1e6, suffix: "ms" },
  { ns: 1e3, suffix: "µs" },
  { ns: 1, suffix: "ns" },
] as const;

/** The distance of ticks: 1, 2 or 5 times a power of ten, at least a nanosecond. */
export function tickStepNs(nsPerPx: number): number {
  const least = Math.max(1, nsPerPx * leastTickPx);
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least * (1 - 1e-9)) ?? 10 * power;
}

/** A whole number of the largest unit that the ticks are whole in: every digit is exact. */
export function formatTick(ns: number, stepNs: number): string {
  if (ns === 0) return "0";
  const unit = units.find((each) => stepNs >= each.ns) ?? units[3];
  return `${formatCount(Math.round(ns / unit.ns))}\u00a0${unit.suffix}`;
}

/** Which steps carry their number: every first, second, fifth, tenth…, so that numbers keep their distance. */
export function numberEvery(steps: readonly Step[], nsPerPx: number, leastPx: number): number {
  const first = steps[0];
  const last = steps.at(-1);
  if (first === undefined || last === undefined) return 1;
  const perStepPx = (last.end_ns - first.start_ns) / steps.length / nsPerPx;
  for (let every = 1; ; every *= 10) {
    for (const factor of [1, 2, 5]) if (every * factor * perStepPx >= leastPx || every > 1e9) return every * factor;
  }
}

export interface RulerPaint {
  readonly raster: Raster;
  readonly palette: Palette;
  readonly labels: LabelSprites;
  readonly ratio: number;
  readonly camera: Camera;
}

export function paintTicks({ raster, palette, labels, ratio, camera }: RulerPaint, top: number): void {
  const stepNs = tickStepNs(camera.nsPerPx);
  const width = raster.width / ratio;
  const y = Math.round(top * ratio);
  const bottom = Math.round((top + tickRowPx) * ratio);
  const first = Math.floor(camera.startNs / stepNs);
  for (let i = first; xOf(camera, i * stepNs) < width; i += 1) {
    const x = Math.round(xOf(camera, i * stepNs) * ratio);
    raster.fill(x, bottom - Math.round(6 * ratio), x + Math.max(1, Math.round(ratio)), bottom, palette.stepLine);
    const sprite = labels.get(formatTick(i * stepNs, stepNs));
    if (sprite !== undefined)
      raster.text(sprite, x + Math.round(4 * ratio), y + Math.round(3 * ratio), 1e6, palette.dim, 1);
  }
}

export function paintSteps(
  { raster, palette, labels, ratio, camera }: RulerPaint,
  steps: readonly Step[],
  offsetNs: number,
): void {
  const bottom = Math.round(stepRowPx * ratio);
  const every = numberEvery(steps, camera.nsPerPx, 64);
  for (let i = firstStepAfter(steps, camera.startNs - offsetNs); i < steps.length; i += 1) {
    const step = steps[i]!;
    const x0 = xOf(camera, step.start_ns + offsetNs) * ratio;
    if (x0 >= raster.width) break;
    const x1 = xOf(camera, step.end_ns + offsetNs) * ratio;
    if (x1 - x0 >= 3) raster.fill(Math.round(x0), 0, Math.round(x0) + 1, bottom, palette.stepLine);
    if (step.number % every !== 0) continue;
    const sprite = labels.get(every === 1 ? `step ${formatCount(step.number)}` : formatCount(step.number));
    if (sprite === undefined) continue;
    const begin = Math.max(Math.round(x0), 0) + Math.round(5 * ratio);
    const room = every === 1 ? x1 - begin : 1e6;
    if (room > 12 * ratio) raster.text(sprite, begin, Math.round(2 * ratio), room, palette.text, 6 * ratio);
  }
}

/** The first step that ends after a time. */
export function firstStepAfter(steps: readonly Step[], ns: number): number {
  let [low, high] = [0, steps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps[middle]!.end_ns <= ns) low = middle + 1;
    else high = middle;
  }
  return low;
}
