// What pointing at a segment or a line means for the rest of the view, and where a click leads.
import type { Breakdown, MemoryPeak, OpUse } from "@protocol/messages";
import { type Focus, linesOfMemory, linesOfTime, type LinkMaps } from "./links";
import { lineKey } from "./memory";
import type { Clock, Segment, TreeKind } from "./tree";

export interface CodePlace {
  readonly path: string;
  readonly line: number;
}

export function placeOf(key: string): CodePlace {
  const cut = key.lastIndexOf(":");
  return { path: key.slice(0, cut), line: Number(key.slice(cut + 1)) };
}

export function focusOfTime(
  breakdown: Breakdown,
  maps: LinkMaps,
  segment: Segment,
  by: TreeKind,
  clock: Clock,
  phases: readonly string[],
): Focus {
  const isModule = segment.kind === "place" && by === "modules";
  const lines = linesOfTime(breakdown, maps, segment, by, clock, phases);
  return {
    from: "time",
    segment: segment.key,
    module: isModule ? segment.key : undefined,
    lines,
    place: callSite(breakdown, segment, by) ?? largest(lines),
  };
}

export function focusOfMemory(
  memory: MemoryPeak,
  breakdown: Breakdown | undefined,
  maps: LinkMaps,
  segment: Segment,
  isByLine: boolean,
): Focus {
  const isModule = segment.kind === "place" && !isByLine;
  const lines = linesOfMemory(memory, maps, segment, isByLine);
  const node = isModule ? maps.moduleOfKey.get(segment.key) : undefined;
  const site = node === undefined || breakdown === undefined ? undefined : siteOfModule(breakdown, node);
  return {
    from: "memory",
    segment: segment.key,
    module: isModule ? segment.key : undefined,
    lines,
    place: site ?? largest(lines),
  };
}

export function focusOfLine(path: string, line: number): Focus {
  const key = lineKey({ file: path, line });
  return { from: "source", segment: "", module: undefined, lines: new Map([[key, 1]]), place: key };
}

/** The bars belong to the line that holds the batch size. */
export function focusOfLiteral({ path, line }: CodePlace): Focus {
  return { ...focusOfLine(path, line), from: "bar" };
}

// The line that calls a module, or the line itself.
function callSite(breakdown: Breakdown, segment: Segment, by: TreeKind): string | undefined {
  if (segment.kind !== "place") return undefined;
  if (by === "modules") return siteOfModule(breakdown, segment.node);
  const place = breakdown.lines[segment.node];
  return place === undefined ? undefined : `${place.name}:${place.line}`;
}

function siteOfModule(breakdown: Breakdown, node: number): string | undefined {
  const line = breakdown.flat_lines[breakdown.places[node] ?? -1];
  return line === undefined || line.file === "" ? undefined : lineKey(line);
}

function largest(lines: ReadonlyMap<string, number>): string | undefined {
  let found: string | undefined;
  let most = 0;
  for (const [key, value] of lines) {
    if (value > most) [found, most] = [key, value];
  }
  return found;
}

export interface OpSum {
  readonly name: string;
  readonly calls: number;
  readonly ns: number;
}

/** The longest operators of a place and all inside it. */
export function topOps(breakdown: Breakdown, by: TreeKind, node: number, clock: Clock, count: number): OpSum[] {
  const tree = breakdown[by];
  const sums = new Map<string, { calls: number; ns: number }>();
  const add = ({ name, calls, host_ns, device_ns }: OpUse): void => {
    const sum = sums.get(name) ?? { calls: 0, ns: 0 };
    sums.set(name, { calls: sum.calls + calls, ns: sum.ns + (clock === "host" ? host_ns : device_ns) });
  };
  const end = tree[node]?.end ?? 0;
  for (let i = node; i < end; ++i) tree[i]?.uses.forEach(add);
  return [...sums]
    .map(([name, sum]) => ({ name, ...sum }))
    .sort((a, b) => b.ns - a.ns || (a.name < b.name ? -1 : 1))
    .slice(0, count);
}
