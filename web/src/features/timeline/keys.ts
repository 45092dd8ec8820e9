// Keys of the timeline.
import { addKeys, type Key } from "../../model/keys";
import { nsAt } from "./model/camera";
import type { Way } from "./model/motion";
import { entryBeside, longestWithin } from "./model/pick";
import { type PlacedSlice, placeOf } from "./model/places";
import { placeOfEntry, type TimelineStage } from "./stage";

const markReachPx = 5;
const scrollPx = 51;

/** Listens; call what it gives to stop that. */
export function listenToKeys(stage: TimelineStage): () => void {
  const { store } = stage;
  const hold = (key: string, way: Way, what: string): Key => ({
    keys: [key],
    what,
    run: () => {
      stage.motion.press(way, stage.bounds, performance.now());
      stage.lookAt(stage.camera, true);
    },
  });
  const select = (slice: PlacedSlice | undefined): boolean => {
    if (slice === undefined) return false;
    stage.unpin();
    store.select(slice);
    stage.reveal(slice);
    return true;
  };
  const removeKeys = addKeys([
    hold("w", "in", "Zoom in at the mouse"),
    hold("s", "out", "Zoom out"),
    hold("a", "left", "To earlier times"),
    hold("d", "right", "To later times"),
    {
      keys: ["ArrowLeft"],
      what: "Select the slice before (without a selection: move)",
      run: () => beside(stage, -1, select),
    },
    { keys: ["ArrowRight"], what: "Select the slice behind", run: () => beside(stage, 1, select) },
    { keys: ["ArrowUp"], what: "Select what encloses it", run: () => parent(stage, select) },
    { keys: ["ArrowDown"], what: "Select the longest one inside", run: () => child(stage, select) },
    { keys: ["f"], what: "Fit the selection or the measured range", run: () => fitSelection(stage) },
    { keys: ["0", "Home"], what: "Fit everything", run: () => stage.fitAll() },
    { keys: ["m"], what: "Set a mark at the mouse, or take it away", run: () => mark(stage) },
    { keys: ["Shift+drag"], what: "Measure a range; so does dragging on the ruler", run: () => false },
    { keys: ["Ctrl+wheel"], what: "Zoom at the mouse; the wheel alone scrolls, with Shift sideways", run: () => false },
    {
      keys: ["n", "Enter"],
      what: "Next match; with Shift the one before",
      run: (event) => nextMatch(stage, event.shiftKey ? -1 : 1),
    },
    { keys: ["Escape"], what: "Drop the range, the selection, the search, the marks", run: () => drop(stage) },
  ]);
  const ways: Readonly<Record<string, Way>> = { w: "in", s: "out", a: "left", d: "right" };
  const up = ({ key }: KeyboardEvent): void => {
    const way = ways[key.toLowerCase()];
    if (way !== undefined) stage.motion.release(way);
  };
  const blur = (): void => stage.motion.releaseAll();
  addEventListener("keyup", up);
  addEventListener("blur", blur);
  return () => {
    removeKeys();
    removeEventListener("keyup", up);
    removeEventListener("blur", blur);
  };
}

type Select = (slice: PlacedSlice | undefined) => boolean;

function beside(stage: TimelineStage, way: 1 | -1, select: Select): void {
  const selected = stage.store.selected.peek();
  if (selected === undefined) {
    stage.lookAt({ ...stage.camera, startNs: nsAt(stage.motion.target, way * 120) });
    return;
  }
  const picked = stage.picked(selected.trace, selected.track);
  const entry = picked === undefined ? undefined : entryBeside(picked, selected.row, selected.startNs, way);
  if (entry !== undefined) select(placeOfEntry(selected.trace, selected.track, entry));
}

function parent(stage: TimelineStage, select: Select): void {
  const [selected, details] = [stage.store.selected.peek(), stage.store.details.peek()];
  if (selected === undefined) stage.scrollTo(stage.scrollTop - scrollPx);
  if (selected === undefined || details?.state !== "known") return;
  const above = details.value.parents.at(-1);
  if (above !== undefined) select(placeOf(selected.trace, above));
}

function child(stage: TimelineStage, select: Select): void {
  const selected = stage.store.selected.peek();
  if (selected === undefined) {
    stage.scrollTo(stage.scrollTop + scrollPx);
    return;
  }
  const { trace, track, row, startNs, endNs } = selected;
  const picked = stage.picked(trace, track);
  const entry = picked === undefined ? undefined : longestWithin(picked, row + 1, startNs, endNs);
  if (entry !== undefined) select(placeOfEntry(trace, track, entry));
}

export function fitSelection(stage: TimelineStage): void {
  const range = stage.store.range.peek();
  const selected = stage.store.selected.peek();
  if (range !== undefined) stage.fit(range);
  else if (selected !== undefined) stage.fit(stage.store.spanOf(selected));
  else stage.fitAll();
}

function mark(stage: TimelineStage): void {
  const selected = stage.store.selected.peek();
  const ns = stage.cursorNs ?? (selected === undefined ? undefined : stage.store.spanOf(selected).startNs);
  if (ns !== undefined) stage.store.toggleMark(ns, markReachPx * stage.camera.nsPerPx);
}

/** Selects the next match and brings it into view. */
export function nextMatch(stage: TimelineStage, way: 1 | -1): boolean {
  const match = stage.store.nextMatch(way, stage.view.startNs);
  if (match === undefined) return false;
  stage.unpin();
  stage.store.select(match.place);
  stage.reveal(match.place);
  return true;
}

// One thing at a time: what was added last goes first.
function drop(stage: TimelineStage): boolean {
  if (document.activeElement instanceof HTMLInputElement) return false; // the field is left first
  const { store } = stage;
  if (store.range.peek() !== undefined) store.measure(undefined);
  else if (store.selected.peek() !== undefined) store.select(undefined);
  else if (store.searchText.peek() !== "") void store.search("");
  else if (store.marks.peek().length > 0) store.marks.value = [];
  else return false;
  return true;
}
