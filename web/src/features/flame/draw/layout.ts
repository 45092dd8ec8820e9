// Where each node of a flame graph stands. Time goes to the right: a node is as wide as its time, its children stand
// below it side by side, and what is left of it on the right is its own time.
import type { Flame } from "@protocol/messages";

export interface FlameLayout {
  readonly depth: Int32Array;
  readonly start: Float64Array; // ns from the left edge of everything
  readonly rows: number;
}

export interface FlameBox {
  readonly node: number;
  readonly row: number;
  readonly x: number;
  readonly width: number;
}

/** The stretch of time that is drawn from edge to edge. */
export interface FlameWindow {
  readonly start: number;
  readonly end: number;
}

/** Nodes are in preorder, so a parent is always laid out before its children. */
export function layoutFlame({ parent, total_ns }: Flame): FlameLayout {
  const count = parent.length;
  const depth = new Int32Array(count);
  const start = new Float64Array(count);
  const filled = new Float64Array(count); // where the next child of a node begins
  let rows = 0;
  for (let node = 0; node < count; node += 1) {
    const above = parent[node] ?? -1;
    if (above >= 0) {
      depth[node] = (depth[above] ?? 0) + 1;
      start[node] = filled[above] ?? 0;
      filled[above] = (start[node] ?? 0) + (total_ns[node] ?? 0);
    }
    filled[node] = start[node] ?? 0;
    rows = Math.max(rows, (depth[node] ?? 0) + 1);
  }
  return { depth, start, rows };
}

export function windowOf(flame: Flame, layout: FlameLayout, node: number): FlameWindow {
  const start = layout.start[node] ?? 0;
  return { start, end: start + (flame.total_ns[node] ?? 0) };
}

const thinnest = 0.4; // pixels; what is thinner is not drawn

/** What can be seen of the window when it is `width` pixels wide. */
export function boxesOf(
  flame: Flame,
  layout: FlameLayout,
  { start, end }: FlameWindow,
  width: number,
): readonly FlameBox[] {
  const scale = width / Math.max(end - start, 1);
  const boxes: FlameBox[] = [];
  for (let node = 0; node < flame.parent.length; node += 1) {
    const from = layout.start[node] ?? 0;
    const to = from + (flame.total_ns[node] ?? 0);
    if (to <= start || from >= end) continue;
    const x = Math.max(0, (from - start) * scale);
    const right = Math.min(width, (to - start) * scale);
    if (right - x >= thinnest) boxes.push({ node, row: layout.depth[node] ?? 0, x, width: right - x });
  }
  return boxes;
}

export function boxAt(boxes: readonly FlameBox[], x: number, row: number): FlameBox | undefined {
  return boxes.find((box) => box.row === row && x >= box.x && x < box.x + box.width);
}

/** The outermost first, the node itself last. */
export function pathTo(flame: Flame, node: number): readonly number[] {
  const path: number[] = [];
  for (let at = node; at >= 0; at = flame.parent[at] ?? -1) path.unshift(at);
  return path;
}

export interface Matches {
  readonly isMatch: Uint8Array; // per node
  readonly count: number;
  readonly total_ns: number; // of those that are in no other match
}

/** Nodes whose name or file contains the text, in any case. */
export function searchFlame(flame: Flame, text: string): Matches {
  const wanted = text.toLowerCase();
  const isNameMatch = flame.names.map((name) => name.toLowerCase().includes(wanted));
  const isPlaceMatch = flame.places.map(({ file }) => file.toLowerCase().includes(wanted));
  const isMatch = new Uint8Array(flame.parent.length);
  const isInside = new Uint8Array(flame.parent.length); // a match, or below one
  let total_ns = 0;
  let count = 0;
  for (let node = 0; node < flame.parent.length; node += 1) {
    const place = flame.place[node] ?? -1;
    const isThis = isNameMatch[flame.name[node] ?? -1] === true || (place >= 0 && isPlaceMatch[place] === true);
    const isBelow = isInside[flame.parent[node] ?? -1] === 1;
    if (isThis) {
      isMatch[node] = 1;
      count += 1;
      if (!isBelow) total_ns += flame.total_ns[node] ?? 0;
    }
    if (isThis || isBelow) isInside[node] = 1;
  }
  return { isMatch, count, total_ns };
}

export type FlameDirection = "up" | "down" | "left" | "right";

/** Where an arrow key leads from a node; the node itself where there is nothing. */
export function neighbour(flame: Flame, node: number, direction: FlameDirection): number {
  if (direction === "up") return Math.max(0, flame.parent[node] ?? 0);
  if (direction === "down") {
    const children = childrenOf(flame, node);
    // The largest: the way that one mostly wants to go.
    return children.reduce(
      (best, child) => ((flame.total_ns[child] ?? 0) > (flame.total_ns[best] ?? 0) ? child : best),
      children[0] ?? node,
    );
  }
  const siblings = childrenOf(flame, flame.parent[node] ?? -1);
  return siblings[siblings.indexOf(node) + (direction === "left" ? -1 : 1)] ?? node;
}

function childrenOf(flame: Flame, node: number): readonly number[] {
  const children: number[] = [];
  flame.parent.forEach((parent, child) => {
    if (parent === node && child > 0) children.push(child);
  });
  return children;
}
