// Brings together what the timeline knows, where its camera is, and the canvas: decides when a frame is drawn and
// which tiles are asked for. Draws only when something has changed.
import { effect } from "@preact/signals";
import { begin } from "../../base/idle";
import { TimelineFrame } from "./draw/frame";
import { type FrameReport, rulerPx, type Scene, type Size } from "./draw/scene";
import { type Bounds, type Camera, fitAll, lookAround, lookAt, nsAt, spanOf, type TimeSpan, xOf } from "./model/camera";
import { itemAt, type LayoutItem, rowAt, rowPx, topOfRow, trackItemOf } from "./model/layout";
import { CameraMotion } from "./model/motion";
import { type Entry, entryAt, type Picked, pickTiles } from "./model/pick";
import type { PlacedSlice } from "./model/places";
import { wantedOf } from "./model/requests";
import type { TimelineStore } from "./model/store";
import type { SliceTile } from "./model/tiles";
import { levelOf, type TileRun, visibleTiles } from "./model/wanted";

const keptFrames = 20_000;
const reachPx = 3; // around the mouse
const fitShare = 0.6; // of the width for what is fitted

/** One drawn frame, for those who measure. */
export interface FrameRecord extends FrameReport {
  readonly atMs: number; // when the browser began it
  readonly drawMs: number;
  readonly level: number;
}

export class TimelineStage {
  readonly motion: CameraMotion;
  readonly frames: FrameRecord[] = [];
  scrollTop = 0;
  hovered: PlacedSlice | undefined;
  cursorNs: number | undefined;
  /** Called after a frame in which camera or scroll have changed. */
  readonly onMoved = new Set<() => void>();

  private frame: TimelineFrame | undefined;
  private size: Size = { width: 0, height: 0, ratio: 1 };
  private request: number | undefined;
  private endBusy: (() => void) | undefined;
  private drawn = "";
  private readonly stopWatching: () => void;
  private waiting: (() => void)[] = []; // for a size
  // What an address shows fills the width, whatever that will be once panels are open; until the user moves.
  private pinned: TimeSpan | "all" | undefined = "all";

  constructor(
    private readonly canvas: HTMLCanvasElement,
    readonly store: TimelineStore,
    private readonly kinds: readonly string[],
  ) {
    const still = matchMedia("(prefers-reduced-motion: reduce)");
    this.motion = new CameraMotion({ startNs: 0, nsPerPx: 1 }, () => still.matches);
    this.stopWatching = effect(() => {
      const { layout, selected, flows, matches, range, marks } = store;
      for (const each of [layout, selected, flows, matches, range, marks]) void each.value;
      this.redraw();
    });
  }

  close(): void {
    this.stopWatching();
    if (this.request !== undefined) cancelAnimationFrame(this.request);
    this.endBusy?.();
  }

  get camera(): Camera {
    return this.motion.camera;
  }

  get bounds(): Bounds {
    return { ...this.store.bounds, widthPx: Math.max(1, this.size.width) };
  }

  get rulerHeight(): number {
    return rulerPx(this.store.steps);
  }

  get tracksHeight(): number {
    return Math.max(0, this.size.height - this.rulerHeight);
  }

  get width(): number {
    return this.size.width;
  }

  get view(): TimeSpan {
    return spanOf(this.camera, this.size.width);
  }

  get isAllShown(): boolean {
    return Math.abs(this.motion.target.nsPerPx / fitAll(this.bounds).nsPerPx - 1) < 1e-9;
  }

  /** The canvas has a new size, or the theme new colours. */
  resize(width: number, height: number, ratio: number): void {
    this.size = { width, height, ratio };
    if (width < 1 || height < 1) return;
    this.frame = new TimelineFrame(this.canvas, this.size, this.kinds, this.rulerHeight);
    // Otherwise the left edge and the scale stay: what is under the mouse must not run away when a panel opens.
    this.motion.jumpTo(this.pinnedCamera() ?? this.camera, this.bounds);
    const waiting = this.waiting;
    this.waiting = [];
    for (const run of waiting) run();
    this.scrollTo(this.scrollTop);
    this.redraw();
  }

  /** Now, or once the width is known. */
  whenSized(run: () => void): void {
    if (this.size.width > 0) run();
    else this.waiting.push(run);
  }

  redraw(): void {
    if (this.request !== undefined) return;
    this.endBusy ??= begin();
    this.request = requestAnimationFrame((now) => this.draw(now));
  }

  /** Shows all, or a span, from edge to edge. */
  pin(pinned: TimeSpan | "all"): void {
    this.pinned = pinned;
    if (this.size.width > 0) this.motion.jumpTo(this.pinnedCamera() ?? this.camera, this.bounds);
    this.redraw();
  }

  /** From now on the scale stays when the width changes. */
  unpin(): void {
    this.pinned = undefined;
  }

  private pinnedCamera(): Camera | undefined {
    if (this.pinned === "all") return fitAll(this.bounds);
    return this.pinned === undefined ? undefined : lookAt(this.pinned, this.size.width);
  }

  lookAt(camera: Camera, isAtOnce = false): void {
    this.unpin();
    if (isAtOnce) this.motion.jumpTo(camera, this.bounds);
    else this.motion.flyTo(camera, this.bounds, performance.now());
    this.redraw();
  }

  fit(span: TimeSpan): void {
    this.lookAt(lookAround(span, this.size.width, fitShare));
  }

  fitAll(): void {
    this.lookAt(fitAll(this.bounds));
  }

  scrollTo(top: number): void {
    const most = Math.max(0, this.store.layout.peek().height + 40 - this.tracksHeight);
    this.scrollTop = Math.round(Math.max(0, Math.min(top, most)));
    this.redraw();
  }

  scrollToTrace(trace: string): void {
    const first = this.store.layout.peek().items.find(({ part }) => part.summary.id === trace);
    if (first !== undefined) this.whenSized(() => this.scrollTo(first.top));
  }

  /** Brings a slice into view, moving no more than is needed. */
  reveal(slice: PlacedSlice): void {
    const item = trackItemOf(this.store.layout.peek(), slice.trace, slice.track);
    if (item !== undefined) {
      const top = topOfRow(item, slice.row);
      if (top < this.scrollTop) this.scrollTo(top - 2 * rowPx);
      else if (top + rowPx > this.scrollTop + this.tracksHeight) this.scrollTo(top + 3 * rowPx - this.tracksHeight);
    }
    const span = this.store.spanOf(slice);
    const { startNs, nsPerPx } = this.motion.target;
    const dur = this.size.width * nsPerPx;
    const isVisible = span.startNs >= startNs && span.startNs < startNs + dur * 0.97;
    const isTiny = (span.endNs - span.startNs) / nsPerPx < 1;
    if (isTiny) this.lookAt(lookAround(span, this.size.width, 0.1));
    else if (!isVisible) this.lookAt({ startNs: (span.startNs + span.endNs) / 2 - dur / 2, nsPerPx });
  }

  /** What is at a point of the canvas. */
  entryAt(x: number, y: number): { readonly entry: Entry; readonly place: PlacedSlice } | undefined {
    const height = y - this.rulerHeight + this.scrollTop;
    const item = y < this.rulerHeight ? undefined : itemAt(this.store.layout.peek(), height);
    if (item?.kind !== "track") return undefined;
    const row = rowAt(item, height);
    const picked = row === undefined ? undefined : this.picked(item.part.summary.id, item.track.id);
    if (row === undefined || picked === undefined) return undefined;
    const ns = nsAt(this.camera, x) - item.part.summary.offset_ns;
    const entry = entryAt(picked, row, ns, reachPx * this.camera.nsPerPx);
    return entry === undefined ? undefined : { entry, place: placeOfEntry(item.part.summary.id, item.track.id, entry) };
  }

  itemAt(y: number): LayoutItem | undefined {
    return itemAt(this.store.layout.peek(), y - this.rulerHeight + this.scrollTop);
  }

  /** The tiles of a track that are visible, with one more on each side. */
  picked(trace: string, track: number): Picked<SliceTile> | undefined {
    const run = this.runOf(trace);
    if (run === undefined) return undefined;
    return pickTiles(this.store.slices, trace, track, { ...run, first: run.first - 1, last: run.last + 1 });
  }

  private runOf(trace: string): TileRun | undefined {
    const part = this.store.partOf(trace);
    if (part === undefined) return undefined;
    const { timeline, summary } = part;
    const camera = { ...this.camera, startNs: this.camera.startNs - summary.offset_ns };
    return visibleTiles(camera, this.size.width, { startNs: timeline.start_ns, endNs: timeline.end_ns });
  }

  /** Where a slice is on the canvas; for tests. */
  pointOf(slice: PlacedSlice): { readonly x: number; readonly y: number } | undefined {
    const item = trackItemOf(this.store.layout.peek(), slice.trace, slice.track);
    if (item === undefined) return undefined;
    const span = this.store.spanOf(slice);
    const x = xOf(this.camera, (span.startNs + span.endNs) / 2);
    return { x, y: this.rulerHeight + topOfRow(item, slice.row) + rowPx / 2 - this.scrollTop };
  }

  private draw(now: number): void {
    this.request = undefined;
    if (this.frame === undefined) return this.rest();
    const beginMs = performance.now();
    this.motion.advance(now, this.bounds);
    const report = this.frame.draw(this.scene());
    this.wantTiles();
    const drawMs = performance.now() - beginMs;
    if (this.frames.length >= keptFrames) this.frames.splice(0, keptFrames / 2);
    this.frames.push({ ...report, atMs: now, drawMs, level: levelOf(this.camera.nsPerPx) });
    this.tellMoved();
    if (this.motion.isMoving || report.isBehind) this.redraw();
    else this.rest();
  }

  private rest(): void {
    this.endBusy?.();
    this.endBusy = undefined;
  }

  private tellMoved(): void {
    const now = `${this.camera.startNs} ${this.camera.nsPerPx} ${this.scrollTop} ${this.size.width} ${this.size.height}`;
    if (now === this.drawn) return;
    this.drawn = now;
    for (const tell of this.onMoved) tell();
  }

  private scene(): Scene {
    const { store } = this;
    const matches = store.matches.peek();
    return {
      camera: this.camera,
      scrollTop: this.scrollTop,
      layout: store.layout.peek(),
      bounds: store.bounds,
      steps: store.steps,
      stepsOffsetNs: store.offsetOf(store.chosen.id),
      slices: store.slices,
      counters: store.counters,
      selected: store.selected.peek(),
      hovered: this.hovered,
      flows: store.flows.peek(),
      matches: matches?.state === "known" ? matches.value.found.map(({ place }) => place) : [],
      range: store.range.peek(),
      marks: store.marks.peek(),
      cursorNs: this.cursorNs,
    };
  }

  private wantTiles(): void {
    const { store, motion, scrollTop } = this;
    const look = {
      camera: this.camera,
      target: motion.target,
      hint: motion.hint(),
      widthPx: this.size.width,
      scrollTop,
      heightPx: this.tracksHeight,
    };
    store.sliceLoader.want(wantedOf("track", store.parts, store.layout.peek(), look));
    store.counterLoader.want(wantedOf("counter", store.parts, store.layout.peek(), look));
  }
}

export function placeOfEntry(trace: string, track: number, { tile, index }: Entry): PlacedSlice {
  return {
    trace,
    track,
    slice: tile.slice[index]!,
    row: tile.row[index]!,
    startNs: tile.startNs[index]!,
    endNs: tile.endNs[index]!,
  };
}
