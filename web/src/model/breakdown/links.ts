// What belongs together: segments of the two columns and lines of code. Everything is looked up in maps that are made
// once per result, since a pointer that moves must see the answer in the same frame.
import type { Breakdown, MemoryPeak } from "@protocol/messages";
import { linkTime } from "./lines";
import { lineKey } from "./memory";
import { childrenOf, type Clock, nodeKeys, passes, type Segment, type TreeKind } from "./tree";

/** What is pointed at, in words that each part of the view understands. */
export interface Focus {
  readonly from: "time" | "memory" | "source" | "bar";
  /** Segment that is pointed at; empty: a line is. */
  readonly segment: string;
  /** Module in both trees, by its key; undefined: none. */
  readonly module: string | undefined;
  /** Lines with what they have of it: ns or bytes. */
  readonly lines: ReadonlyMap<string, number>;
  /** The line that calls it. */
  readonly place: string | undefined;
}

export interface LinkMaps {
  readonly moduleKeys: readonly string[];
  readonly memoryKeys: readonly string[];
  readonly moduleOfKey: ReadonlyMap<string, number>;
  readonly memoryOfKey: ReadonlyMap<string, number>;
  readonly linesOfModule: readonly ReadonlyMap<string, number>[];
  readonly linesOfMemory: readonly ReadonlyMap<string, number>[];
  readonly lineKeys: readonly string[]; // of breakdown.lines
}

type LineMaps = readonly ReadonlyMap<string, number>[];

function byModule<L extends { readonly module: number; readonly line: number }>(
  count: number,
  links: readonly L[],
  keyOf: (line: number) => string | undefined,
  valueOf: (link: L) => number,
): LineMaps {
  const maps = Array.from({ length: count }, () => new Map<string, number>());
  for (const link of links) {
    const key = keyOf(link.line);
    const value = valueOf(link);
    if (key !== undefined && value > 0) maps[link.module]?.set(key, value);
  }
  return maps;
}

function byKey(keys: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  keys.forEach((key, i) => {
    if (!found.has(key)) found.set(key, i);
  });
  return found;
}

export function linkMaps(breakdown: Breakdown | undefined, memory: MemoryPeak | undefined, clock: Clock): LinkMaps {
  const keyIn = (lines: readonly { readonly file: string; readonly line: number }[] | undefined) => (i: number) => {
    const line = lines?.[i];
    return line === undefined || line.file === "" ? undefined : lineKey(line);
  };
  const moduleKeys = nodeKeys(breakdown?.modules ?? []);
  const memoryKeys = nodeKeys(memory?.modules ?? []);
  return {
    moduleKeys,
    memoryKeys,
    moduleOfKey: byKey(moduleKeys),
    memoryOfKey: byKey(memoryKeys),
    linesOfModule: byModule(moduleKeys.length, breakdown?.links ?? [], keyIn(breakdown?.flat_lines), (link) =>
      linkTime(link, clock),
    ),
    linesOfMemory: byModule(memoryKeys.length, memory?.links ?? [], keyIn(memory?.lines), (link) => link.bytes),
    lineKeys: nodeKeys(breakdown?.lines ?? []),
  };
}

// What a module has of each line without those inside it.
function ownLines(maps: LineMaps, tree: readonly { readonly end: number }[], node: number): Map<string, number> {
  const own = new Map(maps[node] ?? []);
  for (const child of childrenOf(tree, node)) {
    for (const [key, value] of maps[child] ?? []) {
      const rest = (own.get(key) ?? 0) - value;
      if (rest > 0) own.set(key, rest);
      else own.delete(key);
    }
  }
  return own;
}

const noLines: ReadonlyMap<string, number> = new Map();

/** The lines that a segment of the run-time column comes from. */
export function linesOfTime(
  breakdown: Breakdown,
  maps: LinkMaps,
  segment: Segment,
  by: TreeKind,
  clock: Clock,
  phases: readonly string[],
): ReadonlyMap<string, number> {
  switch (segment.kind) {
    case "place":
      return by === "modules"
        ? (maps.linesOfModule[segment.node] ?? noLines)
        : linesBelow(breakdown, maps, segment.node, clock);
    case "own":
      return by === "modules" ? ownPasses(breakdown, maps, segment.node, clock, phases) : ownLine(maps, segment);
    case "phase": {
      const phase = phases.indexOf(segment.parts[0]?.word ?? "");
      const lines = breakdown.flat_lines.filter(({ own }) => (own[clock][phase] ?? 0) > 0);
      return new Map(lines.map((line) => [lineKey(line), line.own[clock][phase] ?? 0]));
    }
    case "others":
      return merged(segment.members.map((member) => linesOfTime(breakdown, maps, member, by, clock, phases)));
    case "role":
      return noLines;
  }
}

// Links do not tell phases apart; a line that itself computes nothing forward or backward is not meant.
function ownPasses(
  breakdown: Breakdown,
  maps: LinkMaps,
  node: number,
  clock: Clock,
  phases: readonly string[],
): ReadonlyMap<string, number> {
  const lines = ownLines(maps.linesOfModule, breakdown.modules, node);
  for (const line of breakdown.flat_lines) {
    if (!phases.some((word, i) => passes.has(word) && (line.own[clock][i] ?? 0) > 0)) lines.delete(lineKey(line));
  }
  return lines;
}

function ownLine(maps: LinkMaps, segment: Segment): ReadonlyMap<string, number> {
  const key = maps.lineKeys[segment.node] ?? "";
  return key === "" ? noLines : new Map([[key, segment.value]]);
}

function linesBelow(breakdown: Breakdown, maps: LinkMaps, node: number, clock: Clock): Map<string, number> {
  const lines = new Map<string, number>();
  const end = breakdown.lines[node]?.end ?? 0;
  for (let i = node; i < end; ++i) {
    const key = maps.lineKeys[i] ?? "";
    let time = 0;
    for (const ns of breakdown.lines[i]?.total[clock] ?? []) time += ns;
    if (time > 0) lines.set(key, Math.max(time, lines.get(key) ?? 0));
  }
  return lines;
}

function merged(all: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const lines = new Map<string, number>();
  for (const [key, value] of all.flatMap((each) => [...each])) lines.set(key, (lines.get(key) ?? 0) + value);
  return lines;
}

/** The lines that a segment of the memory column comes from. */
export function linesOfMemory(
  memory: MemoryPeak,
  maps: LinkMaps,
  segment: Segment,
  isByLine: boolean,
): ReadonlyMap<string, number> {
  switch (segment.kind) {
    case "role": {
      const lines = memory.lines.filter(({ file, total }) => file !== "" && (total[segment.node] ?? 0) > 0);
      return new Map(lines.map((line) => [lineKey(line), line.total[segment.node] ?? 0]));
    }
    case "place":
      return isByLine ? new Map([[segment.key, segment.value]]) : (maps.linesOfMemory[segment.node] ?? noLines);
    case "own":
      return ownLines(maps.linesOfMemory, memory.modules, segment.node);
    case "others":
      return merged(segment.members.map((member) => linesOfMemory(memory, maps, member, isByLine)));
    case "phase":
      return noLines;
  }
}
