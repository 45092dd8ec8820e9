// What is drawn of a track: the tiles of the level that belongs to the view, and where one is missing, the nearest
// coarser one that is known, or finer ones.
import { tileKey } from "./cache";
import type { SliceTile } from "./tiles";
import { type TileRun, tileNs } from "./wanted";

export interface Pick<T> {
  readonly tile: T;
  /** The time that it tells of. */
  readonly startNs: number;
  readonly endNs: number;
  /** Slices that begin before are drawn by the pick before this one. */
  readonly fromNs: number;
  /** Of a tile that stands in for another, only this is drawn. */
  readonly clipStartNs: number;
  readonly clipEndNs: number;
}

export interface Picked<T> {
  readonly picks: readonly Pick<T>[];
  readonly missing: number; // tiles
}

export interface Tiles<T> {
  get(key: string): T | undefined;
}

const mostCoarser = 24; // a flight from nanoseconds to the whole passes by many levels
const mostFiner = 3;

export function pickTiles<T>(tiles: Tiles<T>, trace: string, row: number, run: TileRun): Picked<T> {
  const picks: Pick<T>[] = [];
  let missing = 0;
  let isBeforeDrawn = false;
  for (let index = run.first; index <= run.last; index += 1) {
    const tile = tiles.get(tileKey(trace, run.level, index, row));
    const startNs = index * tileNs(run.level);
    if (tile === undefined) {
      missing += 1;
      picks.push(...standIns(tiles, trace, row, run.level, index));
    } else {
      const fromNs = isBeforeDrawn ? startNs : -Infinity;
      const endNs = startNs + tileNs(run.level);
      picks.push({ tile, startNs, endNs, fromNs, clipStartNs: -Infinity, clipEndNs: Infinity });
    }
    isBeforeDrawn = tile !== undefined;
  }
  return { picks, missing };
}

function standIns<T>(tiles: Tiles<T>, trace: string, row: number, level: number, index: number): Pick<T>[] {
  const clipStartNs = index * tileNs(level);
  const clipEndNs = clipStartNs + tileNs(level);
  for (let up = 1; up <= mostCoarser; up += 1) {
    const tile = tiles.get(tileKey(trace, level + up, Math.floor(index / 2 ** up), row));
    if (tile !== undefined) return [standIn(tile, clipStartNs, clipEndNs)];
  }
  for (let down = 1; down <= Math.min(mostFiner, level); down += 1) {
    const found: Pick<T>[] = [];
    const dur = tileNs(level - down);
    for (let i = index * 2 ** down; i < (index + 1) * 2 ** down; i += 1) {
      const tile = tiles.get(tileKey(trace, level - down, i, row));
      if (tile !== undefined) found.push(standIn(tile, i * dur, (i + 1) * dur));
    }
    if (found.length > 0) return found;
  }
  return [];
}

function standIn<T>(tile: T, startNs: number, endNs: number): Pick<T> {
  return { tile, startNs, endNs, fromNs: -Infinity, clipStartNs: startNs, clipEndNs: endNs };
}

/** An entry of a tile. */
export interface Entry {
  readonly tile: SliceTile;
  readonly index: number;
}

/** What of a row is at a time; if nothing, the nearest that is at most `reachNs` away. Times are the trace's own. */
export function entryAt(picked: Picked<SliceTile>, row: number, ns: number, reachNs: number): Entry | undefined {
  let best: Entry | undefined;
  let bestNs = reachNs;
  for (const { tile } of picked.picks) {
    for (let index = 0; index < tile.count; index += 1) {
      if (tile.row[index] !== row) continue;
      const before = tile.startNs[index]! - ns;
      const away = Math.max(before, ns - tile.endNs[index]!, 0);
      if (away > bestNs || (away === bestNs && best !== undefined)) continue;
      best = { tile, index };
      bestNs = away;
    }
  }
  return best;
}

/** The first entry of a row that begins after a time, or the last that begins before it. */
export function entryBeside(picked: Picked<SliceTile>, row: number, ns: number, way: 1 | -1): Entry | undefined {
  let best: Entry | undefined;
  let bestNs = Infinity;
  for (const { tile } of picked.picks) {
    for (let index = 0; index < tile.count; index += 1) {
      const away = (tile.startNs[index]! - ns) * way;
      if (tile.row[index] !== row || away <= 0 || away >= bestNs) continue;
      best = { tile, index };
      bestNs = away;
    }
  }
  return best;
}

/** The longest entry of a row within a span: what an arrow down goes to. */
export function longestWithin(
  picked: Picked<SliceTile>,
  row: number,
  startNs: number,
  endNs: number,
): Entry | undefined {
  let best: Entry | undefined;
  let bestNs = -1;
  for (const { tile } of picked.picks) {
    for (let index = 0; index < tile.count; index += 1) {
      const [start, end] = [tile.startNs[index]!, tile.endNs[index]!];
      if (tile.row[index] !== row || start < startNs || end > endNs || end - start <= bestNs) continue;
      best = { tile, index };
      bestNs = end - start;
    }
  }
  return best;
}
