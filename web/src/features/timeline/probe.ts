// What browser tests and benches can ask the timeline.
import { itemsWithin } from "./model/layout";
import { type FrameRecord, type TimelineStage } from "./stage";

interface Probe {
  frames(): readonly FrameRecord[];
  clearFrames(): void;
  view(): { readonly startNs: number; readonly endNs: number; readonly scroll: number };
  lookAt(startNs: number, endNs: number): void;
  tracks(): readonly string[]; // names of those that are visible
  selected(): { readonly trace: string; readonly slice: number } | undefined;
  flows(): readonly string[];
  pointOfMatch(index: number): { readonly x: number; readonly y: number } | undefined;
  cachedBytes(): number;
}

export function showToTests(stage: TimelineStage): () => void {
  const { store } = stage;
  const probe: Probe = {
    frames: () => stage.frames,
    clearFrames: () => void stage.frames.splice(0),
    view: () => ({ ...stage.view, scroll: stage.scrollTop }),
    lookAt: (startNs, endNs) => stage.lookAt({ startNs, nsPerPx: (endNs - startNs) / stage.width }, true),
    tracks: () =>
      itemsWithin(store.layout.peek(), stage.scrollTop, stage.scrollTop + stage.tracksHeight).flatMap((item) =>
        item.kind === "track" ? [item.track.name] : [],
      ),
    selected: () => store.selected.peek(),
    flows: () => store.flows.peek().map(({ kind, from, to }) => `${kind} ${from.slice} ${to.slice}`),
    pointOfMatch: (index) => {
      const matches = store.matches.peek();
      const match = matches?.state === "known" ? matches.value.found[index] : undefined;
      return match === undefined ? undefined : stage.pointOf(match.place);
    },
    cachedBytes: () => store.slices.bytes + store.counters.bytes,
  };
  const shown = window.skyline as { timeline?: Probe };
  shown.timeline = probe;
  return () => {
    if (shown.timeline === probe) delete shown.timeline;
  };
}
