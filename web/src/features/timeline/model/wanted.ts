// Which tiles a view needs, and which it will need if its motion goes on. Level L has buckets of 2^L ns; the level that
// is drawn is the finest whose buckets are at most a pixel wide. A tile is 1024 buckets, so two or three cover a view.
//
//   zooming in  ->  the next finer level, where the view will be when it begins to be drawn
//   zooming out ->  the next coarser one
//   panning     ->  the neighbours of the same level
import { type Camera, nsAt, spanOf, type TimeSpan } from "./camera";

export const bucketsPerTile = 1024;
const coarsestLevel = 52;

/** What moves: signs of zooming (1: out, to coarser levels) and panning (1: to later times), and where the mouse is. */
export interface Motion {
  readonly zoom: number;
  readonly pan: number;
  readonly anchorPx: number;
}

export const atRest: Motion = { zoom: 0, pan: 0, anchorPx: 0 };

/** Tiles `first` to `last` of a level. */
export interface TileRun {
  readonly level: number;
  readonly first: number;
  readonly last: number;
}

export function levelOf(nsPerPx: number): number {
  return Math.max(0, Math.min(coarsestLevel, Math.floor(Math.log2(nsPerPx))));
}

export function tileNs(level: number): number {
  return bucketsPerTile * 2 ** level;
}

/** The tiles of a level that touch the span, of those that the trace has; undefined: none. */
export function tilesWithin(span: TimeSpan, level: number, trace: TimeSpan): TileRun | undefined {
  const startNs = Math.max(span.startNs, trace.startNs);
  const endNs = Math.min(span.endNs, trace.endNs);
  if (startNs > endNs) return undefined;
  const dur = tileNs(level);
  const first = Math.floor(startNs / dur);
  return { level, first, last: Math.max(first, Math.ceil(endNs / dur) - 1) };
}

/** What is visible now. Times are the trace's own. */
export function visibleTiles(camera: Camera, widthPx: number, trace: TimeSpan): TileRun | undefined {
  return tilesWithin(spanOf(camera, widthPx), levelOf(camera.nsPerPx), trace);
}

/** What will be visible next, the likeliest first. What is visible now may be among it. */
export function tilesAhead(camera: Camera, widthPx: number, motion: Motion, trace: TimeSpan): TileRun[] {
  const level = levelOf(camera.nsPerPx);
  const ahead: (TileRun | undefined)[] = [];
  const anchor = motion.zoom === 0 ? widthPx / 2 : motion.anchorPx;
  const finer = (steps: number): void => {
    if (level - steps >= 0) ahead.push(viewAtLevel(camera, widthPx, anchor, level - steps, 2, trace));
  };
  const coarser = (steps: number): void => {
    ahead.push(viewAtLevel(camera, widthPx, anchor, level + steps, 1.25, trace));
  };
  const beside = (share: number, way: number): void => {
    const view = spanOf(camera, widthPx);
    const shift = way * share * (view.endNs - view.startNs);
    ahead.push(tilesWithin({ startNs: view.startNs + shift, endNs: view.endNs + shift }, level, trace));
  };
  if (motion.zoom < 0) [finer(1), finer(2)];
  if (motion.zoom > 0) [coarser(1), coarser(2)];
  if (motion.pan !== 0) [beside(0.5, motion.pan), beside(1, motion.pan)];
  beside(0.5, 1);
  beside(0.5, -1);
  finer(1);
  coarser(1);
  return ahead.filter((run) => run !== undefined);
}

// Where the view is when it reaches a level. A level is drawn while a pixel holds one to two of its buckets: two when
// it is reached by zooming in, a bit more than one (the motion goes on) when by zooming out.
function viewAtLevel(
  camera: Camera,
  widthPx: number,
  anchorPx: number,
  level: number,
  bucketsPerPx: number,
  trace: TimeSpan,
): TileRun | undefined {
  const nsPerPx = 2 ** level * bucketsPerPx;
  const startNs = nsAt(camera, anchorPx) - anchorPx * nsPerPx;
  return tilesWithin(spanOf({ startNs, nsPerPx }, widthPx), level, trace);
}
