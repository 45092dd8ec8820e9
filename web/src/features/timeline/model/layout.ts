// What stands below what: per trace and process a heading with its threads and streams, then the trace's counters. Heights are CSS
// pixels. Only what is visible is drawn and asked for, so a thousand tracks cost no more than a screen of them.
import type { Timeline, TimelineCounter, TimelineTrack, TraceSummary } from "@protocol/messages";

export const rowPx = 17; // a slice and the line below it
export const slicePx = 16;
const headingPx = 26;
const counterPx = 38;
const trackPadPx = 7;
const countersTitle = "Counters";

/** A trace with its timeline. */
export interface TracePart {
  readonly summary: TraceSummary;
  readonly timeline: Timeline;
}

interface ItemBase {
  readonly key: string; // stable, for folding and the address
  readonly top: number;
  readonly height: number;
  readonly part: TracePart;
  readonly isFolded: boolean;
}

export interface HeadingItem extends ItemBase {
  readonly kind: "heading";
  readonly title: string;
  readonly tracks: number;
}

export interface CounterItem extends ItemBase {
  readonly kind: "counter";
  readonly counter: TimelineCounter;
}

export interface TrackItem extends ItemBase {
  readonly kind: "track";
  readonly track: TimelineTrack;
  readonly rows: number; // shown
}

export type LayoutItem = HeadingItem | CounterItem | TrackItem;

export interface Layout {
  readonly items: readonly LayoutItem[];
  readonly height: number;
}

/** What the user folded or unfolded, against what is usual. */
export type Folds = ReadonlySet<string>;

export function layOut(parts: readonly TracePart[], folds: Folds): Layout {
  const items: LayoutItem[] = [];
  let top = 0;
  const put = (item: LayoutItem): void => {
    items.push(item);
    top += item.height;
  };
  const head = (part: TracePart, name: string, tracks: number): boolean => {
    const key = `${part.summary.id}/${name}`;
    const isFolded = folds.has(key);
    const title = titleOf(part.summary, name, parts.length > 1);
    put({ kind: "heading", key, top, height: headingPx, part, isFolded, title, tracks });
    return !isFolded;
  };
  for (const part of parts) {
    for (const [process, tracks] of byProcess(part.timeline.tracks)) {
      if (!head(part, process, tracks.length)) continue;
      for (const track of tracks) put(trackItem(part, track, top, folds));
    }
    const { counters } = part.timeline;
    if (counters.length > 0 && head(part, countersTitle, counters.length)) {
      for (const counter of counters) put(counterItem(part, counter, top));
    }
  }
  return { items, height: top };
}

function counterItem(part: TracePart, counter: TimelineCounter, top: number): CounterItem {
  const key = `${part.summary.id}/c${counter.id}`;
  return { kind: "counter", key, top, height: counterPx, part, isFolded: false, counter };
}

function trackItem(part: TracePart, track: TimelineTrack, top: number, folds: Folds): TrackItem {
  const key = `${part.summary.id}/t${track.id}`;
  const isFolded = folds.has(key);
  const rows = isFolded ? Math.min(1, track.rows) : track.rows;
  return { kind: "track", key, top, height: rows * rowPx + trackPadPx, part, isFolded, track, rows };
}

function byProcess(tracks: readonly TimelineTrack[]): Map<string, TimelineTrack[]> {
  const groups = new Map<string, TimelineTrack[]>();
  for (const track of tracks) {
    if (track.slices === 0) continue;
    const group = groups.get(track.process);
    if (group === undefined) groups.set(track.process, [track]);
    else group.push(track);
  }
  return groups;
}

function titleOf(summary: TraceSummary, process: string, isOneOfMany: boolean): string {
  const where = process === "" ? summary.name : process;
  if (!isOneOfMany) return where;
  return summary.rank >= 0 ? `Rank ${summary.rank} · ${where}` : `${summary.name} · ${where}`;
}

/** The items between two heights, found without looking at all. */
export function itemsWithin(layout: Layout, top: number, bottom: number): readonly LayoutItem[] {
  const first = firstEndingAfter(layout.items, top);
  let last = first;
  while (last < layout.items.length && layout.items[last]!.top < bottom) last += 1;
  return layout.items.slice(first, last);
}

export function itemAt(layout: Layout, y: number): LayoutItem | undefined {
  const item = layout.items[firstEndingAfter(layout.items, y)];
  return item !== undefined && item.top <= y ? item : undefined;
}

function firstEndingAfter(items: readonly LayoutItem[], y: number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const { top, height } = items[middle]!;
    if (top + height <= y) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function trackItemOf(layout: Layout, trace: string, track: number): TrackItem | undefined {
  const key = `${trace}/t${track}`;
  return layout.items.find((item): item is TrackItem => item.kind === "track" && item.key === key);
}

/** The row of a track at a height of the layout; undefined: between rows. */
export function rowAt(item: TrackItem, y: number): number | undefined {
  const row = Math.floor((y - item.top) / rowPx);
  return row >= 0 && row < item.rows && y - item.top - row * rowPx < slicePx ? row : undefined;
}

export function topOfRow(item: TrackItem, row: number): number {
  return item.top + Math.min(row, Math.max(0, item.rows - 1)) * rowPx;
}
