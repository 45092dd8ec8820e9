// What is under the mouse, in a few words beside it.
import { signal, type Signal } from "@preact/signals";
import { formatCell, formatCounted, formatNs } from "../../base/format";
import { ask } from "../../model/answers";
import { nsAt } from "./model/camera";
import type { CounterItem } from "./model/layout";
import { type Entry, pickTiles } from "./model/pick";
import type { PlacedSlice } from "./model/places";
import { visibleTiles } from "./model/wanted";
import type { TimelineStage } from "./stage";

const askAfterMs = 120;
const tipPx = 320;

interface Tip {
  readonly x: number;
  readonly y: number;
  readonly isLeft: boolean; // of the mouse
  readonly title: string;
  readonly text: string;
}

export interface Hover {
  readonly tip: Signal<Tip | undefined>;
  follow(stage: TimelineStage): (x: number, y: number, isInside: boolean) => void;
}

export function makeHover(): Hover {
  const tip = signal<Tip | undefined>(undefined);
  return { tip, follow: (stage) => follow(stage, tip) };
}

function follow(stage: TimelineStage, tip: Signal<Tip | undefined>): (x: number, y: number, isInside: boolean) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (x, y, isInside) => {
    clearTimeout(timer);
    const found = isInside ? stage.entryAt(x, y) : undefined;
    stage.hovered = found?.place;
    stage.cursorNs = isInside ? nsAt(stage.camera, x) : undefined;
    stage.redraw();
    const at = { x, y, isLeft: x > stage.width - tipPx };
    if (found === undefined) {
      const item = isInside ? stage.itemAt(y) : undefined;
      tip.value = item?.kind === "counter" && y > stage.rulerHeight ? counterTip(stage, item, at) : undefined;
      return;
    }
    const { entry, place } = found;
    const name = entry.tile.names().get(entry.tile.name[entry.index]!);
    tip.value = sliceTip(entry, name, undefined, at);
    if (name !== undefined && entry.tile.slices[entry.index] === 1) return;
    timer = setTimeout(() => void askName(stage, tip, entry, place, at), askAfterMs);
  };
}

type At = Pick<Tip, "x" | "y" | "isLeft">;

// Narrow slices come without a name.
async function askName(
  stage: TimelineStage,
  tip: Signal<Tip | undefined>,
  entry: Entry,
  place: PlacedSlice,
  at: At,
): Promise<void> {
  const answer = await ask("slice", { trace: place.trace, slice: place.slice });
  if (answer.ok && stage.hovered === place) {
    const { name, dur_ns } = answer.value.slice;
    tip.value = sliceTip(entry, name, dur_ns, at);
  }
}

function sliceTip({ tile, index }: Entry, name: string | undefined, longestNs: number | undefined, at: At): Tip {
  const slices = tile.slices[index]!;
  const dur = formatNs(tile.endNs[index]! - tile.startNs[index]!);
  if (slices === 1) return { ...at, title: name ?? "", text: dur };
  const longest = longestNs === undefined || name === undefined ? "" : `, longest ${formatNs(longestNs)}: ${name}`;
  return {
    ...at,
    title: `${formatCounted(slices, "slice", "slices")}${longest}`,
    text: `within ${dur}; zoom in to see them apart`,
  };
}

function counterTip(stage: TimelineStage, { part, counter }: CounterItem, at: At): Tip | undefined {
  const { summary, timeline } = part;
  const camera = { ...stage.camera, startNs: stage.camera.startNs - summary.offset_ns };
  const run = visibleTiles(camera, stage.width, { startNs: timeline.start_ns, endNs: timeline.end_ns });
  if (run === undefined) return undefined;
  const ns = nsAt(camera, at.x);
  let value: number | undefined;
  for (const { tile } of pickTiles(stage.store.counters, summary.id, counter.id, run).picks) {
    for (let i = 0; i < tile.count && tile.timeNs[i]! <= ns; i += 1) value = tile.last[i]!;
  }
  if (value === undefined || ns > timeline.end_ns) return undefined;
  return { ...at, title: `${counter.name}: ${formatCell(value, counter.unit)}`, text: counter.definition };
}

export function TimelineTip({ hover }: { readonly hover: Hover }) {
  const tip = hover.tip.value;
  if (tip === undefined) return undefined;
  const side = tip.isLeft ? { right: `calc(100% - ${tip.x - 12}px)` } : { left: `${tip.x + 12}px` };
  return (
    <div class="timeline-tip" role="tooltip" style={{ ...side, top: `${tip.y + 14}px` }}>
      {tip.title !== "" && <b>{tip.title}</b>}
      <span class="dim">{tip.text}</span>
    </div>
  );
}
