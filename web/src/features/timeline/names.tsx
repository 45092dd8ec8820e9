// Names of tracks, left of the canvas; a click folds.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { formatCell, formatCount, formatCounted } from "../../base/format";
import { itemsWithin, type LayoutItem } from "./model/layout";
import type { TimelineStage } from "./stage";

const labelPx = 20;

export function TimelineNames({ stage }: { readonly stage: TimelineStage }) {
  const scroll = useSignal(stage.scrollTop);
  const height = useSignal(stage.tracksHeight);
  const column = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const moved = (): void => {
      scroll.value = stage.scrollTop;
      height.value = stage.tracksHeight;
    };
    moved();
    stage.onMoved.add(moved);
    return () => stage.onMoved.delete(moved);
  }, [stage]);
  useEffect(() => {
    const wheel = (event: WheelEvent): void => {
      event.preventDefault();
      stage.scrollTo(stage.scrollTop + event.deltaY);
    };
    const element = column.current;
    element?.addEventListener("wheel", wheel, { passive: false });
    return () => element?.removeEventListener("wheel", wheel);
  }, [stage]);
  const items = itemsWithin(stage.store.layout.value, scroll.value, scroll.value + Math.max(height.value, 1200));
  return (
    <div class="timeline-names-window" ref={column} style={{ top: `${stage.rulerHeight}px` }}>
      {items.map((item) => (
        <Name key={item.key} item={item} scroll={scroll.value} onToggle={() => stage.store.toggleFold(item.key)} />
      ))}
    </div>
  );
}

interface NameProps {
  readonly item: LayoutItem;
  readonly scroll: number;
  readonly onToggle: () => void;
}

function Name({ item, scroll, onToggle }: NameProps) {
  // A tall track's name stays at the top while the track is visible.
  const down = Math.max(0, Math.min(scroll - item.top, item.height - labelPx - 4));
  const place = { top: `${item.top - scroll}px`, height: `${item.height}px` };
  const shift = down > 0 ? { transform: `translateY(${down}px)` } : {};
  switch (item.kind) {
    case "heading":
      return (
        <button
          type="button"
          class="timeline-name is-heading"
          style={place}
          aria-expanded={!item.isFolded}
          onClick={onToggle}
          title={item.title}
        >
          <i aria-hidden="true">{item.isFolded ? "▸" : "▾"}</i>
          <b>{item.title}</b>
        </button>
      );
    case "counter":
      return (
        <div class="timeline-name is-counter" style={place} title={item.counter.definition}>
          <b>{item.counter.name}</b>
          <small>{counterTop(item.counter.high, item.counter.unit)}</small>
        </div>
      );
    case "track":
      return (
        <button
          type="button"
          class="timeline-name"
          style={place}
          aria-expanded={!item.isFolded}
          onClick={onToggle}
          title={`${item.track.name}: ${formatCounted(item.track.slices, "slice", "slices")} in ${formatCounted(item.track.rows, "row", "rows")}. Click to ${item.isFolded ? "unfold" : "fold"}.`}
        >
          <span style={shift}>
            {item.track.rows > 1 && <i aria-hidden="true">{item.isFolded ? "▸" : "▾"}</i>}
            <b>{item.track.name}</b>
            <small>{formatCount(item.track.slices)}</small>
          </span>
        </button>
      );
  }
}

function counterTop(high: number, unit: Parameters<typeof formatCell>[1]): string {
  return `up to ${formatCell(high, unit)}`;
}
