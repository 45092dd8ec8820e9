// What stands above the slices and is too little to matter for speed: outlines, flows, marks, the measured range.
import { formatNs } from "../../../base/format";
import { xOf } from "../model/camera";
import { slicePx, topOfRow, trackItemOf } from "../model/layout";
import type { PlacedFlow, PlacedSlice } from "../model/places";
import { rulerPx, type Scene, type Size, tickRowPx } from "./scene";

export interface OverlayColours {
  readonly text: string;
  readonly ground: string;
  readonly accent: string;
  readonly dim: string;
  readonly font: string;
}

const beyondPx = 60;

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export function drawOverlay(
  context: CanvasRenderingContext2D,
  scene: Scene,
  size: Size,
  colours: OverlayColours,
): void {
  context.save();
  context.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
  const ruler = rulerPx(scene.steps);
  drawMatches(context, scene, size, colours, ruler);
  context.save();
  context.beginPath();
  context.rect(0, ruler, size.width, size.height - ruler);
  context.clip();
  drawLines(context, scene, size, colours, ruler);
  if (scene.hovered !== undefined) outline(context, boxOf(scene, scene.hovered), colours.dim, 1);
  for (const flow of scene.flows) drawFlow(context, scene, flow, colours, size.width);
  if (scene.selected !== undefined) outline(context, boxOf(scene, scene.selected), colours.text, 2);
  context.restore();
  if (scene.range !== undefined) drawRange(context, scene, size, colours, ruler);
  context.restore();
}

/** Where a slice is, in CSS pixels of the picture; undefined: its track is folded away. */
export function boxOf(scene: Scene, slice: PlacedSlice): Box | undefined {
  const item = trackItemOf(scene.layout, slice.trace, slice.track);
  if (item === undefined) return undefined;
  const offset = item.part.summary.offset_ns;
  const x = xOf(scene.camera, slice.startNs + offset);
  const width = Math.max(xOf(scene.camera, slice.endNs + offset) - x, 2);
  return { x, y: rulerPx(scene.steps) + topOfRow(item, slice.row) - scene.scrollTop, width, height: slicePx };
}

function outline(context: CanvasRenderingContext2D, box: Box | undefined, colour: string, width: number): void {
  if (box === undefined) return;
  context.strokeStyle = colour;
  context.lineWidth = width;
  // A canvas is slow with rectangles that are millions of pixels wide.
  const x = Math.max(box.x, -10);
  const right = Math.min(box.x + box.width, context.canvas.width + 10);
  if (right < 0 || x > context.canvas.width) return;
  context.strokeRect(
    Math.round(x) - width / 2,
    box.y - width / 2,
    Math.round(right - x) + width - 1,
    box.height + width,
  );
}

function drawFlow(
  context: CanvasRenderingContext2D,
  scene: Scene,
  { kind, from, to }: PlacedFlow,
  colours: OverlayColours,
  width: number,
): void {
  const [begin, end] = [boxOf(scene, from), boxOf(scene, to)];
  if (begin === undefined || end === undefined) return;
  const isBackward = kind === "forward" || kind === "backward";
  // Work of a device begins after its launch has; an arrow leaves where the cause begins to act.
  // An arrow from far outside comes in over the nearest edge, at the height of its cause.
  const nearby = (x: number): number => Math.max(-beyondPx, Math.min(width + beyondPx, x));
  const x0 = nearby(isBackward ? begin.x + begin.width / 2 : begin.x + Math.min(begin.width, 3));
  const x1 = nearby(end.x);
  const y0 = begin.y + (end.y > begin.y ? begin.height : 0);
  const y1 = end.y + end.height / 2;
  const bend = Math.max(30, Math.min(160, Math.abs(x1 - x0) / 2, Math.abs(y1 - y0)));
  context.strokeStyle = colours.accent;
  context.fillStyle = colours.accent;
  context.lineWidth = 1.5;
  context.setLineDash(isBackward ? [5, 3] : []);
  context.beginPath();
  context.moveTo(x0, y0);
  context.bezierCurveTo(x0, y0 + Math.sign(y1 - y0) * bend, x1 - bend, y1, x1 - 5, y1);
  context.stroke();
  context.setLineDash([]);
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x1 - 7, y1 - 4);
  context.lineTo(x1 - 7, y1 + 4);
  context.fill();
}

const clampX = (x: number): number => Math.max(-5000, Math.min(10_000, x));

function drawLines(
  context: CanvasRenderingContext2D,
  scene: Scene,
  size: Size,
  colours: OverlayColours,
  top: number,
): void {
  const vertical = (ns: number, colour: string): void => {
    const x = Math.round(xOf(scene.camera, ns)) + 0.5;
    if (x < 0 || x > size.width) return;
    context.strokeStyle = colour;
    context.beginPath();
    context.moveTo(x, top);
    context.lineTo(x, size.height);
    context.stroke();
  };
  context.lineWidth = 1;
  if (scene.cursorNs !== undefined && scene.range === undefined) vertical(scene.cursorNs, colours.dim);
  for (const mark of scene.marks) vertical(mark, colours.accent);
  if (scene.range !== undefined) {
    vertical(scene.range.startNs, colours.accent);
    vertical(scene.range.endNs, colours.accent);
  }
}

// Where search has found something, as ticks below the ruler; marks as flags.
function drawMatches(
  context: CanvasRenderingContext2D,
  scene: Scene,
  size: Size,
  colours: OverlayColours,
  ruler: number,
): void {
  context.fillStyle = colours.accent;
  let before = -10;
  for (const match of scene.matches) {
    const offset = trackItemOf(scene.layout, match.trace, match.track)?.part.summary.offset_ns ?? 0;
    const x = Math.round(xOf(scene.camera, match.startNs + offset));
    if (x < 0 || x > size.width || x - before < 2) continue;
    context.fillRect(x, ruler - 5, 2, 5);
    before = x;
  }
  for (const mark of scene.marks) {
    const x = Math.round(xOf(scene.camera, mark));
    context.beginPath();
    context.moveTo(x, ruler - tickRowPx + 3);
    context.lineTo(x + 9, ruler - tickRowPx + 7);
    context.lineTo(x, ruler - tickRowPx + 11);
    context.fill();
    context.fillRect(x, ruler - tickRowPx + 3, 1, tickRowPx - 3);
  }
}

function drawRange(
  context: CanvasRenderingContext2D,
  scene: Scene,
  size: Size,
  colours: OverlayColours,
  ruler: number,
): void {
  const { startNs, endNs } = scene.range!;
  const [x0, x1] = [clampX(xOf(scene.camera, startNs)), clampX(xOf(scene.camera, endNs))];
  const y = ruler - tickRowPx / 2;
  const text = formatNs(endNs - startNs);
  context.font = colours.font;
  context.textBaseline = "middle";
  context.textAlign = "center";
  const width = context.measureText(text).width + 12;
  const middle = Math.max(width / 2, Math.min(size.width - width / 2, (x0 + x1) / 2));
  context.fillStyle = colours.accent;
  context.fillRect(x0, y - 1, x1 - x0, 2);
  context.fillStyle = colours.ground;
  context.fillRect(middle - width / 2, y - 9, width, 18);
  context.fillStyle = colours.accent;
  context.fillText(text, middle, y + 0.5);
  context.textAlign = "start";
}
