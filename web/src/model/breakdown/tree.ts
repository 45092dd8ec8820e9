// One level of where time goes: the segments of the run-time column, which add up to the place they are in.
//
// A place is cut into its children and what it does itself, by phase. A child that is nearly all of it says nothing
// (an iteration is nearly all model, a model nearly all "blocks"), so such a child is replaced by its own children:
//
//   iteration                       blocks.1   34 %
//     model            96 %         blocks.2   32 %
//       blocks         92 %   →     blocks.0   26 %
//         blocks.0 …                head        4 %
//       head            4 %         optimizer   1 %      the iteration's own, by phase
import type { BreakdownNode, Term, Times } from "@protocol/messages";

export type Clock = "host" | "device";
export type TreeKind = "modules" | "lines";

/** A part of a segment: time of one phase, or bytes of one role. */
export interface Part {
  readonly word: string;
  readonly value: number;
}

export interface Segment {
  /** The same for the same place after the next save; unlike that of every other segment of its level. */
  readonly key: string;
  readonly kind: "place" | "own" | "phase" | "role" | "others";
  readonly label: string;
  readonly detail: string; // class or function
  readonly node: number; // place: itself; own, phase: whose; role: its number; others: -1
  readonly value: number;
  readonly parts: readonly Part[]; // they add up to value; none is 0
  readonly canOpen: boolean;
  readonly members: readonly Segment[]; // of others
}

export type Tree = readonly BreakdownNode[];

/** Phases that have a tone in every segment; time of the others that a place spends itself is a segment by itself. */
export const passes: ReadonlySet<string> = new Set(["forward", "backward", "recompute"]);

export function sumOf(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

export function timeOf(times: Times, clock: Clock): number {
  return sumOf(times[clock]);
}

/** The name by which a node is found again in another tree: of the next save, or of memory. */
export function nodeKeys(
  tree: readonly {
    readonly parent: number;
    readonly name: string;
    readonly class_name: string;
    readonly line?: number;
  }[],
): string[] {
  const keys: string[] = [];
  for (const node of tree) {
    if (node.parent < 0) keys.push("");
    else if (node.line !== undefined && node.line > 0) keys.push(`${node.name}:${node.line}`);
    else if (node.name !== "") keys.push(node.name);
    else keys.push(`${keys[node.parent] ?? ""}(${node.class_name})`);
  }
  return keys;
}

export function childrenOf(tree: readonly { readonly end: number }[], node: number): number[] {
  const children: number[] = [];
  const end = tree[node]?.end ?? 0;
  for (let child = node + 1; child < end; child = tree[child]?.end ?? end) children.push(child);
  return children;
}

/** Where a node stands: itself and those around it, the outermost first. */
export function pathTo(tree: readonly { readonly parent: number }[], node: number): number[] {
  const path: number[] = [];
  for (let i = node; i >= 0; i = tree[i]?.parent ?? -1) path.unshift(i);
  return path;
}

/** What a node is called when it stands inside `scope`: without the part of the name that is known from there. */
export function labelOf(
  node: { readonly name: string; readonly class_name: string; readonly line?: number },
  scope: string,
): string {
  if (node.line !== undefined && node.line > 0) return `${fileName(node.name)}:${node.line}`;
  if (node.name === "") return node.class_name;
  return scope !== "" && node.name.startsWith(`${scope}.`) ? node.name.slice(scope.length + 1) : node.name;
}

export function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

// A child with more than this of all children is unfolded, if that gives no more than so many segments.
const tellsNothing = 0.75;
const manySegments = 16;

/** The nodes that a level shows, and those whose own time it must show because they are unfolded, scope included. */
export function unfold<N extends { readonly end: number }>(
  tree: readonly N[],
  scope: number,
  valueOf: (node: number) => number,
): { readonly shown: readonly number[]; readonly opened: readonly number[] } {
  let shown = childrenOf(tree, scope).filter((node) => valueOf(node) > 0);
  const all = sumOf(shown.map(valueOf)); // not what the place does itself: an optimizer may be most of an iteration
  const opened = [scope];
  for (;;) {
    const large = shown.find((node) => valueOf(node) > all * tellsNothing);
    if (large === undefined) break;
    const inside = childrenOf(tree, large).filter((node) => valueOf(node) > 0);
    if (inside.length === 0 || shown.length + inside.length - 1 > manySegments) break;
    opened.push(large);
    shown = shown.flatMap((node) => (node === large ? inside : [node]));
  }
  return { shown, opened };
}

/** The level that one goes up to: the outermost around a node that shows it as a segment. */
export function levelAbove(tree: Tree, node: number, clock: Clock): number {
  const valueOf = (each: number): number => timeOf(at(tree, each).total, clock);
  const around = pathTo(tree, node).slice(0, -1);
  return around.find((scope) => unfold(tree, scope, valueOf).shown.includes(node)) ?? around.at(-1) ?? 0;
}

function partsOf(values: readonly number[], words: readonly Term[], keep: (word: string) => boolean): Part[] {
  const parts: Part[] = [];
  words.forEach(({ name }, i) => {
    const value = values[i] ?? 0;
    if (value > 0 && keep(name)) parts.push({ word: name, value });
  });
  return parts;
}

function largestFirst(a: Segment, b: Segment): number {
  return b.value - a.value || (a.key < b.key ? -1 : 1);
}

/** The segments of a place; their values add up to its total. */
export function timeSegments(tree: Tree, scope: number, clock: Clock, phases: readonly Term[]): Segment[] {
  const root = tree[scope];
  if (root === undefined) return [];
  const keys = nodeKeys(tree);
  const { shown, opened } = unfold(tree, scope, (node) => timeOf(at(tree, node).total, clock));
  const places = shown.map((node): Segment => {
    const { total } = at(tree, node);
    return {
      key: keys[node] ?? "",
      kind: "place",
      label: labelOf(at(tree, node), root.name),
      detail: at(tree, node).class_name || at(tree, node).function,
      node,
      value: timeOf(total, clock),
      parts: partsOf(total[clock], phases, () => true),
      canOpen: at(tree, node).end > node + 1,
      members: [],
    };
  });
  const own = opened.flatMap((node) => ownSegment(tree, node, scope, keys[node] ?? "", clock, phases));
  const all = toldApart(tree, keys, places.concat(own)).sort(largestFirst);
  return [...all, ...phaseSegments(tree, opened, scope, clock, phases)];
}

// A line that several callers lead to stands once for each of them when the callers are unfolded: they are told apart by
// the lines around them.
function toldApart(tree: Tree, keys: readonly string[], segments: readonly Segment[]): Segment[] {
  const times = new Map<string, number>();
  for (const { key } of segments) times.set(key, (times.get(key) ?? 0) + 1);
  return segments.map((segment) => {
    if (times.get(segment.key) === 1) return segment;
    const callers = pathTo(tree, segment.node).slice(0, -1).reverse();
    const caller = callers[0] === undefined ? "" : labelOf(at(tree, callers[0]), "");
    return {
      ...segment,
      key: [segment.key, ...callers.map((node) => keys[node] ?? "")].join(" < "),
      detail: [segment.detail, caller === "" ? "" : `called by ${caller}`].filter((text) => text !== "").join(", "),
    };
  });
}

export function at(tree: Tree, node: number): BreakdownNode {
  const found = tree[node];
  if (found === undefined) throw new Error(`there is no node ${node}`);
  return found;
}

// What a place that is opened computes itself: loss functions, and operators between calls of its children.
function ownSegment(
  tree: Tree,
  node: number,
  scope: number,
  key: string,
  clock: Clock,
  phases: readonly Term[],
): Segment[] {
  const parts = partsOf(at(tree, node).own[clock], phases, (word) => passes.has(word));
  const value = sumOf(parts.map((part) => part.value));
  if (value === 0) return [];
  const name = node === 0 ? "outside the model" : node === scope ? "itself" : `${labelOf(at(tree, node), "")} itself`;
  const detail =
    node === 0 ? "operators that no module called, like the loss" : "operators that no module inside called";
  return [{ key: `${key}#own`, kind: "own", label: name, detail, node, value, parts, canOpen: false, members: [] }];
}

// What opened places do in the other phases, one segment per phase, in their order.
function phaseSegments(
  tree: Tree,
  opened: readonly number[],
  scope: number,
  clock: Clock,
  phases: readonly Term[],
): Segment[] {
  return phases.flatMap(({ name, definition }, i): Segment[] => {
    if (passes.has(name)) return [];
    const value = sumOf(opened.map((node) => at(tree, node).own[clock][i] ?? 0));
    if (value === 0) return [];
    const label = name.replaceAll("_", " ");
    return [
      {
        key: `#${name}`,
        kind: "phase",
        label,
        detail: definition,
        node: scope,
        value,
        parts: [{ word: name, value }],
        canOpen: false,
        members: [],
      },
    ];
  });
}

/** Puts segments that would be lower than `least` of the whole together; they can be opened. */
export function gather(segments: readonly Segment[], least: number): Segment[] {
  const all = sumOf(segments.map(({ value }) => value));
  const small = segments.filter(({ value }) => value < all * least);
  if (small.length < 2) return [...segments];
  const words = new Map<string, number>();
  for (const { word, value } of small.flatMap(({ parts }) => parts)) words.set(word, (words.get(word) ?? 0) + value);
  const others: Segment = {
    key: "#others",
    kind: "others",
    label: `${small.length} others`,
    detail: small.map(({ label }) => label).join(", "),
    node: -1,
    value: sumOf(small.map(({ value }) => value)),
    parts: [...words].map(([word, value]) => ({ word, value })),
    canOpen: true,
    members: small,
  };
  return [...segments.filter((segment) => !small.includes(segment)), others];
}
