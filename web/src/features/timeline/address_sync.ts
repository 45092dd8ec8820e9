// Keeps the address and the timeline the same: what the user does is written a moment after it is done; an address
// that comes from elsewhere (a link, Back) is shown.
import { effect } from "@preact/signals";
import { begin } from "../../base/idle";
import { route, setParams } from "../../base/url_state";
import { readAddress, type TimelineAddress, writeAddress } from "./model/address";
import type { TimelineStage } from "./stage";

const writeAfterMs = 200;
const view = "timeline";

/** Call what it gives to stop. */
export function keepAddress(stage: TimelineStage): () => void {
  const { store } = stage;
  let written = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  let endBusy: (() => void) | undefined;

  const current = (): TimelineAddress => {
    const selected = store.selected.peek();
    const range = store.range.peek();
    const isAll = stage.isAllShown;
    return {
      startNs: isAll ? undefined : stage.view.startNs,
      endNs: isAll ? undefined : stage.view.endNs,
      scroll: stage.scrollTop,
      selected: selected === undefined ? undefined : { trace: selected.trace, slice: selected.slice },
      search: store.searchText.peek(),
      range: range === undefined ? undefined : [range.startNs, range.endNs],
      marks: store.marks.peek(),
      folds: [...store.folds.peek()],
      isAlone: route.peek().params["alone"] === "1",
    };
  };
  const write = (): void => {
    timer = undefined;
    endBusy?.();
    endBusy = undefined;
    if (route.peek().view !== view || stage.width === 0) return;
    const params = writeAddress(current());
    written = JSON.stringify(params);
    setParams(params, "replace");
  };
  const writeSoon = (): void => {
    clearTimeout(timer);
    endBusy ??= begin();
    timer = setTimeout(write, writeAfterMs);
  };
  const show = (address: TimelineAddress): void => {
    store.folds.value = new Set(address.folds);
    store.marks.value = address.marks;
    const range = address.range;
    store.measure(range && { startNs: range[0], endNs: range[1], trace: store.chosen.id });
    if (range !== undefined) void store.askRange();
    if (address.search !== store.searchText.peek()) void store.search(address.search);
    const { startNs, endNs } = address;
    const isPlaced = startNs !== undefined && endNs !== undefined;
    stage.whenSized(() => {
      stage.pin(isPlaced ? { startNs, endNs } : "all");
      stage.scrollTo(address.scroll);
    });
    const selected = address.selected;
    if (selected === undefined) store.select(undefined);
    else {
      void store.selectAddress(selected).then((place) => {
        // A link that names a slice but no time means: show me that.
        if (place !== undefined && !isPlaced)
          stage.whenSized(() => (stage.reveal(place), stage.fit(store.spanOf(place))));
      });
    }
  };

  show(readAddress(route.peek().params));
  written = JSON.stringify(writeAddress(readAddress(route.peek().params)));
  const stopReading = effect(() => {
    const { view: shown, params } = route.value;
    const now = JSON.stringify(writeAddress(readAddress(params)));
    if (shown !== view || now === written) return;
    written = now;
    show(readAddress(params));
  });
  const stopWriting = effect(() => {
    for (const each of [store.selected, store.range, store.searchText, store.marks, store.folds]) void each.value;
    writeSoon();
  });
  stage.onMoved.add(writeSoon);
  return () => {
    stopReading();
    stopWriting();
    stage.onMoved.delete(writeSoon);
    clearTimeout(timer);
    endBusy?.();
  };
}
