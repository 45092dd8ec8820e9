// Mouse and wheel on the timeline, as in Perfetto: drag pans, wheel scrolls, with ctrl it zooms, shift or the ruler
// measures, click selects, double click zooms in.
import { nsAt, pan, zoom } from "./model/camera";
import type { TimelineStage } from "./stage";

const clickPx = 4; // less is no drag
const zoomPerWheelPx = 1.002;

type Drag =
  | {
      readonly kind: "pan";
      readonly x: number;
      readonly y: number;
      readonly startNs: number;
      readonly scroll: number;
      isMoved: boolean;
    }
  | { readonly kind: "measure"; readonly x: number; readonly ns: number; readonly trace: string; isMoved: boolean };

export interface HandsOptions {
  readonly canvas: HTMLCanvasElement;
  readonly stage: TimelineStage;
  readonly hover: (x: number, y: number, isInside: boolean) => void;
}

/** Listens; call what it gives to stop that. */
export function listenToHands({ canvas, stage, hover }: HandsOptions): () => void {
  let drag: Drag | undefined;
  const point = (event: MouseEvent): { x: number; y: number } => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  const down = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    const { x, y } = point(event);
    stage.unpin();
    hover(x, y, false);
    canvas.setPointerCapture(event.pointerId);
    canvas.focus({ preventScroll: true });
    const isMeasure = event.shiftKey || y < stage.rulerHeight;
    const trace = stage.itemAt(y)?.part.summary.id ?? stage.store.chosen.id;
    drag = isMeasure
      ? {
          kind: "measure",
          x,
          ns: nsAt(stage.camera, x),
          trace: y < stage.rulerHeight ? stage.store.chosen.id : trace,
          isMoved: false,
        }
      : { kind: "pan", x, y, startNs: stage.camera.startNs, scroll: stage.scrollTop, isMoved: false };
  };

  const move = (event: PointerEvent): void => {
    const { x, y } = point(event);
    stage.motion.anchorPx = x;
    if (drag === undefined) {
      hover(x, y, true);
      return;
    }
    if (Math.abs(x - drag.x) > clickPx || (drag.kind === "pan" && Math.abs(y - drag.y) > clickPx)) drag.isMoved = true;
    if (!drag.isMoved) return;
    hover(x, y, false);
    if (drag.kind === "pan") {
      canvas.style.cursor = "grabbing";
      const { nsPerPx } = stage.camera;
      stage.scrollTo(drag.scroll + drag.y - y);
      stage.lookAt({ startNs: drag.startNs + (drag.x - x) * nsPerPx, nsPerPx }, true);
    } else {
      measure(drag, x);
    }
  };

  const measure = ({ ns, trace }: Drag & { kind: "measure" }, x: number): void => {
    const end = nsAt(stage.camera, Math.max(0, Math.min(stage.width, x)));
    const [startNs, endNs] = [Math.round(Math.min(ns, end)), Math.round(Math.max(ns, end))];
    stage.store.measure(startNs < endNs ? { startNs, endNs, trace } : undefined);
  };

  const up = (event: PointerEvent): void => {
    const { x, y } = point(event);
    const done = drag;
    drag = undefined;
    canvas.style.cursor = "";
    if (done === undefined) return;
    if (done.isMoved) {
      if (done.kind === "measure") void stage.store.askRange();
    } else if (y < stage.rulerHeight) {
      stage.store.measure(undefined);
    } else {
      stage.store.select(stage.entryAt(x, y)?.place);
    }
  };

  const doubleClick = (event: MouseEvent): void => {
    const { x, y } = point(event);
    const found = stage.entryAt(x, y);
    if (found !== undefined) stage.fit(stage.store.spanOf(found.place));
  };

  const wheel = (event: WheelEvent): void => {
    event.preventDefault();
    const { x } = point(event);
    const unit = event.deltaMode === 1 ? 17 : 1; // lines
    if (event.ctrlKey || event.metaKey) {
      stage.motion.anchorPx = x;
      const factor = zoomPerWheelPx ** (event.deltaY * unit);
      const isSmooth = Math.abs(event.deltaY) < 50; // fingers on a pad, not a wheel's notch
      stage.lookAt(zoom(isSmooth ? stage.camera : stage.motion.target, factor, x, stage.bounds), isSmooth);
      return;
    }
    const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
    const downwards = event.shiftKey ? 0 : event.deltaY;
    if (sideways !== 0) stage.lookAt(pan(stage.camera, sideways * unit), true);
    if (downwards !== 0) stage.scrollTo(stage.scrollTop + downwards * unit);
  };

  const leave = (): void => hover(0, 0, false);

  const hands = new AbortController();
  const { signal } = hands;
  canvas.addEventListener("pointerdown", down, { signal });
  canvas.addEventListener("pointermove", move, { signal });
  canvas.addEventListener("pointerup", up, { signal });
  canvas.addEventListener("pointercancel", up, { signal });
  canvas.addEventListener("pointerleave", leave, { signal });
  canvas.addEventListener("dblclick", doubleClick, { signal });
  canvas.addEventListener("wheel", wheel, { signal, passive: false });
  return () => hands.abort();
}
