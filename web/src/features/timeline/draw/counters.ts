// A counter as a small area: solid up to the least value within a pixel, paler up to the largest.
import type { CounterItem } from "../model/layout";
import { type Pick, pickTiles } from "../model/pick";
import type { CounterTile } from "../model/tiles";
import { visibleTiles } from "../model/wanted";
import type { Palette } from "./palette";
import type { Raster } from "./raster";
import type { Scene } from "./scene";

const padPx = 4;

/** Least and largest value per pixel; NaN where there is none yet. */
export class CounterColumns {
  low = new Float64Array(0);
  high = new Float64Array(0);

  begin(width: number): void {
    if (this.low.length !== width) {
      this.low = new Float64Array(width);
      this.high = new Float64Array(width);
    }
    this.low.fill(NaN);
    this.high.fill(NaN);
  }

  /** Adds tiles, each for its own time only: beyond it, others know better. */
  addPicks(picks: readonly Pick<CounterTile>[], xOfNs: (ns: number) => number, traceEndNs: number): void {
    for (const { tile, startNs, endNs } of picks) {
      this.add(tile, xOfNs, Math.floor(xOfNs(startNs)), xOfNs(Math.min(endNs, traceEndNs)));
    }
  }

  /** Adds the points of a tile; a value holds until the next. `endX` is where its time ends. */
  add(tile: CounterTile, xOfNs: (ns: number) => number, fromX: number, endX: number): void {
    const end = Math.min(this.low.length, Math.ceil(endX));
    for (let i = 0; i < tile.count; i += 1) {
      const x = Math.floor(xOfNs(tile.timeNs[i]!));
      const next = i + 1 < tile.count ? Math.floor(xOfNs(tile.timeNs[i + 1]!)) : end;
      if (x >= fromX && x >= 0 && x < end) this.widen(x, tile.low[i]!, tile.high[i]!);
      const last = tile.last[i]!;
      for (let hold = Math.max(x + 1, fromX, 0); hold < Math.min(next, end); hold += 1) {
        this.low[hold] = last;
        this.high[hold] = last;
      }
    }
  }

  private widen(x: number, low: number, high: number): void {
    this.low[x] = Math.min(low, Number.isNaN(this.low[x]!) ? low : this.low[x]!);
    this.high[x] = Math.max(high, Number.isNaN(this.high[x]!) ? high : this.high[x]!);
  }
}

const columns = new CounterColumns();

/** Gives the number of tiles that are missing. */
export function paintCounter(
  raster: Raster,
  palette: Palette,
  ratio: number,
  scene: Scene,
  item: CounterItem,
  top: number,
): number {
  const { summary, timeline } = item.part;
  const camera = { ...scene.camera, startNs: scene.camera.startNs - summary.offset_ns };
  const run = visibleTiles(camera, raster.width / ratio, { startNs: timeline.start_ns, endNs: timeline.end_ns });
  if (run === undefined) return 0;
  const { picks, missing } = pickTiles(scene.counters, summary.id, item.counter.id, run);
  const scale = ratio / camera.nsPerPx;
  const xOfNs = (ns: number): number => (ns - camera.startNs) * scale;
  columns.begin(raster.width);
  columns.addPicks(picks, xOfNs, timeline.end_ns);
  paintColumns(
    raster,
    palette,
    item,
    Math.round((top + padPx) * ratio),
    Math.round((top + item.height - padPx) * ratio),
  );
  return missing;
}

function paintColumns(raster: Raster, palette: Palette, { counter }: CounterItem, top: number, bottom: number): void {
  const floor = Math.min(0, counter.low);
  const perValue = (bottom - top) / Math.max(counter.high - floor, 1e-9);
  for (let y = Math.max(0, top); y < Math.min(bottom, raster.height); y += 1) {
    const value = floor + (bottom - y - 0.5) / perValue; // at the middle of this line
    const at = y * raster.width;
    for (let x = 0; x < raster.width; x += 1) {
      if (value <= columns.low[x]!) raster.pixels[at + x] = palette.counter;
      else if (value <= columns.high[x]!) raster.pixels[at + x] = palette.counterBand;
    }
  }
}
