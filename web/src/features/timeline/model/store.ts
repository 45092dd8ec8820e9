// What the timeline knows and what the user chose in it. Requests go out from here; drawing is somebody else's.
import type { Range, SliceDetails, SliceRef, Step, TraceSummary } from "@protocol/messages";
import { computed, signal } from "@preact/signals";
import type { Result } from "../../../base/result";
import { client } from "../../../client/client";
import { ask } from "../../../model/answers";
import type { SliceAddress } from "./address";
import { TileCache } from "./cache";
import type { TimeSpan } from "./camera";
import { layOut, type TracePart } from "./layout";
import { TileLoader } from "./loader";
import { flowsOf, type PlacedSlice, placeOf } from "./places";
import { type CounterTile, decodeCounterTiles, decodeSliceTiles, type SliceTile } from "./tiles";

const sliceBytes = 96_000_000;
const counterBytes = 8_000_000;
const mostMatches = 1000; // per trace; the total is told

export type Asked<T> =
  | { readonly state: "asking" }
  | { readonly state: "known"; readonly value: T }
  | { readonly state: "failed"; readonly sentence: string };

/** What search has found in all shown traces, in the order of time. */
export interface Matches {
  readonly text: string;
  readonly total: number;
  readonly found: readonly Match[];
}

export interface Match {
  readonly ref: SliceRef;
  readonly place: PlacedSlice;
}

export interface MeasuredRange extends TimeSpan {
  readonly trace: string; // whose contents are told
}

export class TimelineStore {
  readonly folds = signal<ReadonlySet<string>>(new Set());
  readonly layout = computed(() => layOut(this.parts, this.folds.value));
  readonly selected = signal<PlacedSlice | undefined>(undefined);
  readonly details = signal<Asked<SliceDetails> | undefined>(undefined);
  readonly flows = computed(() => {
    const [selected, details] = [this.selected.value, this.details.value];
    return selected !== undefined && details?.state === "known" ? flowsOf(selected.trace, details.value) : [];
  });
  readonly searchText = signal("");
  readonly matches = signal<Asked<Matches> | undefined>(undefined);
  readonly currentMatch = signal(-1);
  readonly range = signal<MeasuredRange | undefined>(undefined);
  readonly rangeContents = signal<Asked<Range> | undefined>(undefined);
  readonly marks = signal<readonly number[]>([]);
  readonly trouble = signal("");

  readonly slices = new TileCache<SliceTile>(sliceBytes);
  readonly counters = new TileCache<CounterTile>(counterBytes);
  readonly sliceLoader: TileLoader<SliceTile>;
  readonly counterLoader: TileLoader<CounterTile>;

  constructor(
    readonly parts: readonly TracePart[],
    readonly chosen: TraceSummary,
    arrived: () => void,
  ) {
    const failed = (sentence: string): void => void (this.trouble.value = sentence);
    this.sliceLoader = new TileLoader({
      load: ({ trace, level, index, rows }) => client.request("tiles", { trace, level, index, tracks: rows }),
      decode: decodeSliceTiles,
      cache: this.slices,
      arrived: () => {
        this.trouble.value = "";
        arrived();
      },
      failed,
    });
    this.counterLoader = new TileLoader({
      load: ({ trace, level, index, rows }) => client.request("counter_tiles", { trace, level, index, counters: rows }),
      decode: decodeCounterTiles,
      cache: this.counters,
      arrived,
      failed,
    });
  }

  /** All traces from first to last. */
  get bounds(): TimeSpan {
    const starts = this.parts.map(({ summary, timeline }) => summary.offset_ns + timeline.start_ns);
    const ends = this.parts.map(({ summary, timeline }) => summary.offset_ns + timeline.end_ns);
    const startNs = Math.min(...starts);
    return { startNs, endNs: Math.max(...ends, startNs + 1) };
  }

  get steps(): readonly Step[] {
    return this.partOf(this.chosen.id)?.timeline.steps ?? [];
  }

  partOf(trace: string): TracePart | undefined {
    return this.parts.find(({ summary }) => summary.id === trace);
  }

  offsetOf(trace: string): number {
    return this.partOf(trace)?.summary.offset_ns ?? 0;
  }

  /** The time of a slice, since the start of the earliest trace. */
  spanOf({ trace, startNs, endNs }: PlacedSlice): TimeSpan {
    const offset = this.offsetOf(trace);
    return { startNs: startNs + offset, endNs: endNs + offset };
  }

  toggleFold(key: string): void {
    const folds = new Set(this.folds.peek());
    if (!folds.delete(key)) folds.add(key);
    this.folds.value = folds;
  }

  select(slice: PlacedSlice | undefined): void {
    this.selected.value = slice;
    this.details.value = undefined;
    if (slice === undefined) return;
    this.details.value = { state: "asking" };
    void ask("slice", { trace: slice.trace, slice: slice.slice }).then((answer) => {
      const now = this.selected.peek();
      if (now === undefined || !isSame(now, slice)) return;
      this.details.value = asked(answer);
      // What was clicked may have been many slices drawn as one; the answer is of the longest.
      if (answer.ok) this.selected.value = placeOf(slice.trace, answer.value.slice);
    });
  }

  /** Selects what a link names; its place is not known before the server says it. */
  async selectAddress({ trace, slice }: SliceAddress): Promise<PlacedSlice | undefined> {
    if (this.partOf(trace) === undefined) return undefined;
    const answer = await ask("slice", { trace, slice });
    if (!answer.ok) {
      this.trouble.value = answer.sentence;
      return undefined;
    }
    const place = placeOf(trace, answer.value.slice);
    this.selected.value = place;
    this.details.value = { state: "known", value: answer.value };
    return place;
  }

  /** Looks for names in all shown traces. */
  async search(text: string): Promise<void> {
    this.searchText.value = text;
    this.currentMatch.value = -1;
    if (text === "") {
      this.matches.value = undefined;
      return;
    }
    this.matches.value = { state: "asking" };
    const answers = await Promise.all(
      this.parts.map(async ({ summary }) => {
        const answer = await client.request("search", { trace: summary.id, text, limit: mostMatches });
        return { trace: summary.id, answer };
      }),
    );
    if (this.searchText.peek() !== text) return;
    const found: Match[] = [];
    let total = 0;
    for (const { trace, answer } of answers) {
      if (!answer.ok) {
        this.matches.value = asked(answer);
        return;
      }
      total += answer.value.total;
      for (const ref of answer.value.slices) found.push({ ref, place: placeOf(trace, ref) });
    }
    const start = ({ place }: Match): number => place.startNs + this.offsetOf(place.trace);
    if (answers.length > 1) found.sort((a, b) => start(a) - start(b));
    this.matches.value = { state: "known", value: { text, total, found } };
  }

  /** The next match in the direction, from the current one or from a time; around at the end. */
  nextMatch(way: 1 | -1, fromNs: number): Match | undefined {
    const matches = this.matches.peek();
    if (matches?.state !== "known" || matches.value.found.length === 0) return undefined;
    const { found } = matches.value;
    const current = this.currentMatch.peek();
    const next = current < 0 ? firstFrom(found, fromNs, this.offsetOfMatch) : current + way;
    this.currentMatch.value = (next + found.length) % found.length;
    return found[this.currentMatch.peek()];
  }

  private readonly offsetOfMatch = ({ place }: Match): number => this.offsetOf(place.trace);

  measure(range: MeasuredRange | undefined): void {
    this.range.value = range;
    this.rangeContents.value = undefined;
  }

  /** Asks what happens within the range. */
  async askRange(): Promise<void> {
    const range = this.range.peek();
    const part = range === undefined ? undefined : this.partOf(range.trace);
    if (range === undefined || part === undefined) return;
    this.rangeContents.value = { state: "asking" };
    const offset = part.summary.offset_ns;
    const answer = await client.request("range", {
      trace: range.trace,
      start_ns: Math.round(range.startNs - offset),
      end_ns: Math.round(range.endNs - offset),
      tracks: part.timeline.tracks.map(({ id }) => id),
    });
    if (this.range.peek() === range) this.rangeContents.value = asked(answer);
  }

  toggleMark(ns: number, reachNs: number): void {
    const marks = this.marks.peek();
    const near = marks.filter((mark) => Math.abs(mark - ns) > reachNs);
    this.marks.value = near.length < marks.length ? near : [...marks, Math.round(ns)].sort((a, b) => a - b);
  }
}

export function asked<T>(answer: Result<T>): Asked<T> {
  return answer.ok ? { state: "known", value: answer.value } : { state: "failed", sentence: answer.sentence };
}

export function isSame(a: PlacedSlice, b: PlacedSlice): boolean {
  return a.trace === b.trace && a.slice === b.slice;
}

function firstFrom(found: readonly Match[], fromNs: number, offsetOf: (match: Match) => number): number {
  const first = found.findIndex((match) => match.place.startNs + offsetOf(match) >= fromNs);
  return Math.max(0, first);
}
