// A flame graph that can be pointed at, zoomed and walked through with arrow keys.
import type { Flame } from "@protocol/messages";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { formatCounted, formatNs, formatShare } from "../../base/format";
import { begin } from "../../base/idle";
import {
  boxAt,
  boxesOf,
  type FlameDirection,
  type FlameWindow,
  layoutFlame,
  type Matches,
  neighbour,
  windowOf,
} from "./draw/layout";
import { flameRow, paintFlame, readFlameInk } from "./draw/paint";
import { host } from "../../model/page_host";
import { hideTip, showTip, tipText } from "../../widgets/tooltip";
import "./flame_graph.css";

export interface FlameGraphProps {
  readonly flame: Flame;
  readonly by: "stack" | "module";
  readonly zoom: number; // node that fills the width
  readonly matches: Matches | undefined;
  readonly onZoom: (node: number) => void;
  readonly onActive: (node: number) => void;
  readonly onOpen: (node: number) => void; // its line of code
}

const arrows: Readonly<Record<string, FlameDirection>> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
};

export function FlameGraph({ flame, by, zoom, matches, onZoom, onActive, onOpen }: FlameGraphProps) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useWidth(box);
  const layout = useMemo(() => layoutFlame(flame), [flame]);
  const window = useMoving(windowOf(flame, layout, zoom));
  const boxes = useMemo(() => boxesOf(flame, layout, window, width), [flame, layout, window.start, window.end, width]);
  const [active, setActive] = useState(-1);
  const theme = host.theme.value;
  const height = layout.rows * flameRow;

  useEffect(() => setActive(-1), [flame]);
  useEffect(() => {
    if (canvas.current === null || width === 0) return;
    paintFlame(canvas.current, width, height, { flame, by, boxes, matches, active }, readFlameInk(canvas.current));
  }, [flame, by, boxes, matches, active, width, height, theme]);

  const point = (node: number): void => {
    if (node === active) return;
    setActive(node);
    onActive(node);
  };
  const nodeUnder = (event: MouseEvent): number =>
    boxAt(boxes, event.offsetX, Math.floor(event.offsetY / flameRow))?.node ?? -1;
  const onMove = (event: MouseEvent): void => {
    const node = nodeUnder(event);
    point(node);
    if (node < 0) hideTip();
    else showTip(describe(flame, node), event.clientX, event.clientY);
  };
  const onClick = (event: MouseEvent): void => {
    const node = nodeUnder(event);
    if (node < 0) return;
    if (event.ctrlKey || event.metaKey || event.altKey) onOpen(node);
    else onZoom(node);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const direction = arrows[event.key];
    if (direction !== undefined) {
      const to = active < 0 ? zoom : neighbour(flame, active, direction);
      point(to);
      scrollTo(box.current, (layout.depth[to] ?? 0) * flameRow);
    } else if (event.key === "Enter" && active >= 0) onZoom(active);
    else if (event.key === "o" && active >= 0) onOpen(active);
    else return;
    event.preventDefault();
  };
  return (
    <div
      class="flame"
      ref={box}
      role="application"
      aria-roledescription="flame graph"
      aria-label="Flame graph: arrow keys move, Enter zooms, O opens the line"
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <canvas
        ref={canvas}
        style={{ width: `${width}px`, height: `${height}px` }}
        onMouseMove={onMove}
        onMouseLeave={hideTip}
        onClick={onClick}
      />
    </div>
  );
}

/** What a node is, in lines: its name, then times and place. */
export function describe(flame: Flame, node: number): string {
  const total = flame.total_ns[node] ?? 0;
  const all = flame.total_ns[0] ?? 0;
  const place = flame.places[flame.place[node] ?? -1];
  return tipText(
    flame.names[flame.name[node] ?? -1] ?? "",
    `${formatNs(total)}, ${formatShare(total / all)} of all`,
    `${formatNs(flame.self_ns[node] ?? 0)} itself, ${formatCounted(flame.calls[node] ?? 0, "operator", "operators")}`,
    place === undefined ? undefined : `${place.file}:${place.line} ${place.function}`,
  );
}

function scrollTo(element: HTMLElement | null, top: number): void {
  if (element === null) return;
  if (top < element.scrollTop) element.scrollTop = top;
  else if (top + flameRow > element.scrollTop + element.clientHeight)
    element.scrollTop = top + flameRow - element.clientHeight;
}

function useWidth(box: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(() => setWidth(box.current?.clientWidth ?? 0));
    if (box.current !== null) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return width;
}

const moveMs = 130;

/** Goes to a new window in a moment, so that the eye can follow; at once with reduced motion. */
function useMoving(target: FlameWindow): FlameWindow {
  const [shown, setShown] = useState(target);
  const last = useRef(target);
  useEffect(() => {
    const from = last.current;
    const put = (window: FlameWindow): void => {
      last.current = window;
      setShown(window);
    };
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return put(target);
    const end = begin();
    const started = performance.now();
    let frame = 0;
    const step = (now: number): void => {
      const share = Math.min(1, Math.max(0, now - started) / moveMs);
      const eased = 1 - (1 - share) ** 3;
      put({
        start: from.start + (target.start - from.start) * eased,
        end: from.end + (target.end - from.end) * eased,
      });
      if (share < 1) frame = requestAnimationFrame(step);
      else end();
    };
    frame = requestAnimationFrame(step);
    return () => {
      cancelAnimationFrame(frame);
      end();
    };
  }, [target.start, target.end]);
  return shown;
}
