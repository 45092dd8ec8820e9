// How much of a segment is what is pointed at: 0 none, 1 all of it; undefined: nothing can be said, so it stays as it is.
import type { Breakdown, MemoryPeak } from "@protocol/messages";
import { type Focus, linesOfTime, type LinkMaps } from "./links";
import { lineKey } from "./memory";
import { type Clock, type Segment, sumOf, timeOf, type TreeKind } from "./tree";

interface Nested {
  readonly end: number;
}

// Whether node `inner` is `outer` or inside it, and how much the smaller is of `whole`.
function overlap(
  tree: readonly Nested[],
  a: number,
  b: number,
  valueOf: (node: number) => number,
  whole: number,
): number {
  const holds = (outer: number, inner: number): boolean => inner >= outer && inner < (tree[outer]?.end ?? 0);
  if (holds(b, a)) return 1;
  if (holds(a, b)) return whole > 0 ? Math.min(1, valueOf(b) / whole) : 0;
  return 0;
}

/** Of a segment of the run-time column. */
export function timeShare(
  breakdown: Breakdown,
  maps: LinkMaps,
  segment: Segment,
  focus: Focus,
  by: TreeKind,
  clock: Clock,
  phases: readonly string[],
): number | undefined {
  if (focus.from === "bar") return undefined;
  if (focus.from === "time") return segment.key === focus.segment ? 1 : 0;
  if (segment.kind === "others")
    return shareOfOthers(segment, (member) => timeShare(breakdown, maps, member, focus, by, clock, phases));
  if (focus.from === "memory" && focus.module === undefined) return undefined;
  if (focus.from === "memory" && by === "modules") {
    const module = maps.moduleOfKey.get(focus.module ?? "");
    if (module === undefined || segment.kind !== "place") return 0;
    return overlap(
      breakdown.modules,
      segment.node,
      module,
      (node) => timeOf(breakdown.modules[node]?.total ?? noTimes, clock),
      segment.value,
    );
  }
  let share = 0;
  const lines = linesOfTime(breakdown, maps, segment, by, clock, phases);
  for (const key of focus.lines.keys()) share = Math.max(share, (lines.get(key) ?? 0) / segment.value);
  return Math.min(1, share);
}

const noTimes = { host: [], device: [], calls: 0 };

function shareOfOthers(others: Segment, shareOf: (member: Segment) => number | undefined): number {
  let value = 0;
  for (const member of others.members) value += (shareOf(member) ?? 0) * member.value;
  return others.value > 0 ? value / others.value : 0;
}

/** Of a segment of the memory column. */
export function memoryShare(
  memory: MemoryPeak,
  maps: LinkMaps,
  segment: Segment,
  focus: Focus,
  isByLine: boolean,
  role: number | undefined,
): number | undefined {
  if (focus.from === "bar") return undefined;
  if (focus.from === "memory") return segment.key === focus.segment ? 1 : 0;
  if (segment.kind === "others")
    return shareOfOthers(segment, (member) => memoryShare(memory, maps, member, focus, isByLine, role));
  const bytesOf = (totals: readonly number[] | undefined, only: number | undefined): number =>
    only === undefined ? sumOf(totals ?? []) : (totals?.[only] ?? 0);
  const module = focus.module === undefined ? undefined : maps.memoryOfKey.get(focus.module);
  if (module !== undefined && !(segment.kind === "place" && isByLine)) {
    if (segment.kind === "role") return bytesOf(memory.modules[module]?.total, segment.node) / segment.value;
    if (segment.kind !== "place") return 0;
    return overlap(
      memory.modules,
      segment.node,
      module,
      (node) => bytesOf(memory.modules[node]?.total, role),
      segment.value,
    );
  }
  if (segment.kind === "place" && isByLine) return focus.lines.has(segment.key) ? 1 : 0;
  if (segment.kind === "place") {
    let bytes = 0;
    for (const key of focus.lines.keys()) bytes += maps.linesOfMemory[segment.node]?.get(key) ?? 0;
    return Math.min(1, bytes / segment.value);
  }
  if (segment.kind !== "role") return 0;
  let bytes = 0;
  for (const line of memory.lines) if (focus.lines.has(lineKey(line))) bytes += line.total[segment.node] ?? 0;
  return Math.min(1, bytes / segment.value);
}
