// Slices of one track: a line of pixels per row, copied downwards, then the names.
import { rowPx, slicePx, type TrackItem } from "../model/layout";
import { pickTiles, type Pick } from "../model/pick";
import type { SliceTile } from "../model/tiles";
import { visibleTiles } from "../model/wanted";
import type { LabelSprites } from "./labels";
import { colourIndex, type Palette, shadeOf } from "./palette";
import type { Lines, Raster } from "./raster";
import type { Scene } from "./scene";

const leastNamePx = 22;
const namePadPx = 4;
const fadePx = 10;

export interface SlicePaint {
  readonly raster: Raster;
  readonly lines: Lines;
  readonly labels: LabelSprites;
  readonly palette: Palette;
  readonly ratio: number;
  readonly ground: Uint32Array;
}

export interface Painted {
  slices: number;
  missing: number;
}

interface Name {
  readonly text: string;
  readonly row: number;
  readonly x0: number;
  readonly x1: number;
}

/** Paints a track whose upper edge is at `top`, in CSS pixels of the picture. */
export function paintTrack(paint: SlicePaint, scene: Scene, item: TrackItem, top: number, painted: Painted): void {
  const { raster, lines, ratio } = paint;
  const firstRow = Math.max(0, Math.floor(-top / rowPx));
  const lastRow = Math.min(item.rows, Math.ceil((raster.height / ratio - top) / rowPx));
  if (firstRow >= lastRow) return;
  const { summary, timeline } = item.part;
  const camera = { ...scene.camera, startNs: scene.camera.startNs - summary.offset_ns };
  const trace = { startNs: timeline.start_ns, endNs: timeline.end_ns };
  const run = visibleTiles(camera, raster.width / ratio, trace);
  if (run === undefined) return;
  const { picks, missing } = pickTiles(scene.slices, summary.id, item.track.id, run);
  painted.missing += missing;
  lines.begin(lastRow - firstRow, paint.ground);
  const names: Name[] = [];
  const scale = ratio / camera.nsPerPx;
  for (const pick of picks) {
    painted.slices += paintPick(paint, pick, camera.startNs, scale, firstRow, lastRow, names);
  }
  for (let row = firstRow; row < lastRow; row += 1) {
    const y = Math.round((top + row * rowPx) * ratio);
    raster.copyDown(lines.line(row - firstRow), y, y + Math.round(slicePx * ratio));
  }
  paintNames(paint, names, top);
}

// The hot loop: tens of thousands of entries per frame.
function paintPick(
  paint: SlicePaint,
  { tile, fromNs, clipStartNs, clipEndNs }: Pick<SliceTile>,
  startNs: number,
  scale: number,
  firstRow: number,
  lastRow: number,
  names: Name[],
): number {
  const { lines, palette, ratio } = paint;
  const width = lines.width;
  const gap = Math.max(1, Math.round(ratio));
  const leastName = leastNamePx * ratio;
  let drawn = 0;
  for (let i = 0; i < tile.count; i += 1) {
    const row = tile.row[i]!;
    if (row < firstRow || row >= lastRow) continue;
    const start = tile.startNs[i]!;
    const end = tile.endNs[i]!;
    if (start < fromNs || end < clipStartNs || start > clipEndNs) continue;
    const x0 = ((start > clipStartNs ? start : clipStartNs) - startNs) * scale;
    const x1 = ((end < clipEndNs ? end : clipEndNs) - startNs) * scale;
    if (x1 < 0 || x0 >= width) continue;
    drawn += 1;
    const name = tile.name[i]!;
    const isJoined = tile.slices[i]! > 1;
    lines.span(row - firstRow, x0, x1, palette.slices[colourIndex(tile.kind[i]!, shadeOf(name), isJoined)]!, gap);
    if (isJoined || x1 - x0 < leastName) continue;
    const text = tile.names().get(name);
    if (text !== undefined) names.push({ text, row, x0, x1 });
  }
  return drawn;
}

function paintNames({ raster, labels, palette, ratio }: SlicePaint, names: readonly Name[], top: number): void {
  const pad = Math.round(namePadPx * ratio);
  for (const { text, row, x0, x1 } of names) {
    // The name of a slice that began long ago stands at the left edge.
    const begin = Math.max(0, Math.round(x0)) + pad;
    const room = Math.min(raster.width, x1) - begin - pad / 2;
    if (room < leastNamePx * ratio - 2 * pad) continue;
    const sprite = labels.get(text);
    if (sprite === undefined) continue;
    const y = Math.round((top + row * rowPx) * ratio);
    raster.text(sprite, begin, y, room, palette.onRole, fadePx * ratio);
  }
}
