// Draws a flame graph on a canvas.
import type { Flame } from "@protocol/messages";
import { printable } from "../../../base/printable";
import type { FlameBox, Matches } from "./layout";

export const flameRow = 21; // pixels
const pad = 6;
const narrowest = 26; // a box that is thinner has no room for a name

const modulePrefix = "nn.Module: "; // a frame of torch.profiler that stands for a module's call

export interface FlameInk {
  readonly background: string;
  readonly text: string;
  readonly dim: string;
  readonly all: string; // the box of everything
  readonly python: string;
  readonly op: string;
  readonly module: string;
  readonly match: string;
  readonly mark: string; // around what is pointed at
  readonly font: string;
}

/** The theme's colours as they are now. */
export function readFlameInk(element: Element): FlameInk {
  const style = getComputedStyle(element);
  const color = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    background: color("bg"),
    text: color("on-role"),
    dim: color("dim"),
    all: color("idle"),
    python: color("host"),
    op: color("compute"),
    module: color("forward"),
    match: color("data"),
    mark: color("accent"),
    font: `${color("size-small")} ${style.fontFamily}`,
  };
}

export interface FlameScene {
  readonly flame: Flame;
  readonly by: "stack" | "module";
  readonly boxes: readonly FlameBox[];
  readonly matches: Matches | undefined;
  readonly active: number; // node that is pointed at; -1: none
}

// Operators are told by their name, as "aten::mm"; what stands around them are frames of the program or modules.
function colorOf({ flame, by }: FlameScene, node: number, ink: FlameInk): string {
  const name = flame.names[flame.name[node] ?? -1] ?? "";
  if (node === 0 || name.startsWith("(")) return ink.all; // "(no operator)"
  const hasPlace = (flame.place[node] ?? -1) >= 0;
  if (name.startsWith(modulePrefix)) return ink.module;
  if (name.includes("::") && !hasPlace) return ink.op;
  if (by === "module") return ink.module;
  return hasPlace || name.startsWith("<") ? ink.python : ink.op; // "<built-in method rand …>"
}

export function paintFlame(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
  scene: FlameScene,
  ink: FlameInk,
): void {
  const ratio = devicePixelRatio;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext("2d");
  if (context === null) return;
  context.scale(ratio, ratio);
  context.fillStyle = ink.background;
  context.fillRect(0, 0, width, height);
  context.font = ink.font;
  context.textBaseline = "middle";
  for (const box of scene.boxes) paintBox(context, box, scene, ink);
}

function paintBox(
  context: CanvasRenderingContext2D,
  { node, row, x, width }: FlameBox,
  scene: FlameScene,
  ink: FlameInk,
): void {
  const y = row * flameRow;
  const isMatch = scene.matches?.isMatch[node] === 1;
  context.globalAlpha = scene.matches === undefined || isMatch ? 1 : 0.3;
  context.fillStyle = isMatch ? ink.match : colorOf(scene, node, ink);
  context.fillRect(x, y, Math.max(width - 1, 0.4), flameRow - 1);
  context.globalAlpha = 1;
  if (width > narrowest) {
    context.fillStyle = scene.matches === undefined || isMatch ? ink.text : ink.dim;
    const name = printable(scene.flame.names[scene.flame.name[node] ?? -1] ?? "");
    context.fillText(label(context, name, width - 2 * pad), x + pad, y + flameRow / 2);
  }
  if (node === scene.active) {
    context.strokeStyle = ink.mark;
    context.lineWidth = 2;
    context.strokeRect(x + 1, y + 1, Math.max(width - 3, 1), flameRow - 3);
  }
}

/** What is left of a name when there is little room: a function without its file, an operator without its library. */
export function shortName(name: string): string {
  return name
    .replace(/^.*\(\d+\): /, "")
    .replace(/^nn\.Module: /, "")
    .replace(/^\w+::(?=\w)/, "");
}

function label(context: CanvasRenderingContext2D, name: string, width: number): string {
  const whole = fit(context, name, width);
  return whole === name ? whole : fit(context, shortName(name), width);
}

/** The text, cut so that it fits. */
function fit(context: CanvasRenderingContext2D, text: string, width: number): string {
  const guess = text.slice(0, Math.ceil(width / 3)); // no letter is worth less than three pixels, on average
  if (guess === text && context.measureText(text).width <= width) return text;
  let low = 0;
  let high = guess.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (context.measureText(`${guess.slice(0, middle)}…`).width <= width) low = middle;
    else high = middle - 1;
  }
  return low < 2 ? "" : `${guess.slice(0, low)}…`;
}
