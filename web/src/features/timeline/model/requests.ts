// The tiles of all visible tracks and counters, as requests: what is visible, then what motion makes visible.
import type { Camera } from "./camera";
import { itemsWithin, type Layout, type LayoutItem, type TracePart } from "./layout";
import type { TileRequest, Wanted } from "./loader";
import { type Motion, tilesAhead, type TileRun, visibleTiles } from "./wanted";

export interface Look {
  readonly camera: Camera;
  readonly target: Camera; // where a flight ends
  readonly hint: Motion;
  readonly widthPx: number;
  readonly scrollTop: number;
  readonly heightPx: number;
}

export function wantedOf(
  kind: "track" | "counter",
  parts: readonly TracePart[],
  layout: Layout,
  { camera, target, hint, widthPx, scrollTop, heightPx }: Look,
): Wanted {
  const seen = itemsWithin(layout, scrollTop, scrollTop + heightPx);
  const near = itemsWithin(layout, scrollTop - heightPx / 2, scrollTop + heightPx * 1.5);
  const visible: TileRequest[] = [];
  const ahead: TileRequest[] = [];
  for (const { summary, timeline } of parts) {
    const nearRows = rowsOf(near, kind, summary.id);
    if (nearRows.length === 0) continue;
    const rows = rowsOf(seen, kind, summary.id);
    const span = { startNs: timeline.start_ns, endNs: timeline.end_ns };
    const shifted = (of: Camera): Camera => ({ ...of, startNs: of.startNs - summary.offset_ns });
    const request = (run: TileRun | undefined, of: readonly number[]): TileRequest[] =>
      run === undefined || of.length === 0 ? [] : requestsOf(summary.id, run, of);
    // Where a flight ends is looked at longer than what it passes by.
    if (target.nsPerPx !== camera.nsPerPx) {
      visible.push(...request(visibleTiles(shifted(target), widthPx, span), rows));
    }
    const run = visibleTiles(shifted(camera), widthPx, span);
    visible.push(...request(run, rows));
    for (const each of tilesAhead(shifted(camera), widthPx, hint, span)) ahead.push(...request(each, rows));
    ahead.push(...request(run, nearRows));
  }
  return { visible, ahead };
}

function rowsOf(items: readonly LayoutItem[], kind: "track" | "counter", trace: string): number[] {
  const rows: number[] = [];
  for (const item of items) {
    if (item.part.summary.id !== trace) continue;
    if (kind === "track" && item.kind === "track") rows.push(item.track.id);
    if (kind === "counter" && item.kind === "counter") rows.push(item.counter.id);
  }
  return rows;
}

function requestsOf(trace: string, { level, first, last }: TileRun, rows: readonly number[]): TileRequest[] {
  return Array.from({ length: last - first + 1 }, (_, i) => ({ trace, level, index: first + i, rows }));
}
