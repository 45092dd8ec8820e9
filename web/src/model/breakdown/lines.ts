// What each line of each file costs, for the source pane: of the whole iteration, and within what is opened.
import type { Breakdown, CodeLink, MemoryPeak } from "@protocol/messages";
import { formatBytes, formatShare } from "../../base/format";
import { lineKey } from "./memory";
import { type Clock, sumOf, timeOf } from "./tree";

export interface LineCost {
  readonly file: string;
  readonly line: number;
  readonly function: string;
  readonly time: number; // ns, with all that is below the line
  readonly phases: readonly number[]; // the same by phase
  readonly ownTime: number; // ns that no line below has
  readonly nearTime: number; // ns of Python next to the line, and no sample says in which line
  readonly elsewhereTime: number; // ns of workers and other threads, which are not in time
  readonly calls: number;
  readonly bytes: number;
  readonly roles: readonly number[];
}

export interface FileCosts {
  readonly path: string;
  readonly lines: ReadonlyMap<number, LineCost>;
  readonly ownTime: number;
}

const none: readonly number[] = [];

/** Files with their lines; the ones that spend the most themselves first. */
export function fileCosts(breakdown: Breakdown | undefined, memory: MemoryPeak | undefined, clock: Clock): FileCosts[] {
  const files = new Map<string, Map<number, LineCost>>();
  const put = (cost: LineCost): void => {
    const lines = files.get(cost.file) ?? new Map<number, LineCost>();
    files.set(cost.file, lines);
    lines.set(cost.line, cost);
  };
  for (const { file, line, function: name, own, total, near_ns, elsewhere_ns } of breakdown?.flat_lines ?? []) {
    if (file === "" || line <= 0) continue;
    put({
      file,
      line,
      function: name,
      time: timeOf(total, clock),
      phases: total[clock],
      ownTime: timeOf(own, clock),
      nearTime: clock === "host" ? near_ns : 0,
      elsewhereTime: clock === "host" ? elsewhere_ns : 0,
      calls: total.calls,
      bytes: 0,
      roles: none,
    });
  }
  for (const { file, line, function: name, total } of memory?.lines ?? []) {
    if (file === "" || line <= 0) continue;
    const known = files.get(file)?.get(line) ?? {
      file,
      line,
      function: name,
      time: 0,
      phases: none,
      ownTime: 0,
      nearTime: 0,
      elsewhereTime: 0,
      calls: 0,
      bytes: 0,
      roles: none,
    };
    put({ ...known, bytes: sumOf(total), roles: total });
  }
  return [...files]
    .map(([path, lines]) => ({ path, lines, ownTime: sumOf([...lines.values()].map(({ ownTime }) => ownTime)) }))
    .sort((a, b) => b.ownTime - a.ownTime || (a.path < b.path ? -1 : 1));
}

/** Time and bytes by line key. */
export interface Within {
  readonly time: ReadonlyMap<string, number>;
  readonly bytes: ReadonlyMap<string, number>;
  readonly allTime: number;
  readonly allBytes: number;
}

/** What lines spend within one module. */
export function withinModule(
  breakdown: Breakdown,
  module: number,
  memory: MemoryPeak | undefined,
  memoryModule: number | undefined,
  clock: Clock,
): Within {
  const time = new Map<string, number>();
  for (const link of breakdown.links) {
    const line = breakdown.flat_lines[link.line];
    if (link.module === module && line !== undefined) time.set(lineKey(line), linkTime(link, clock));
  }
  const bytes = new Map<string, number>();
  for (const link of memoryModule === undefined ? [] : (memory?.links ?? [])) {
    const line = memory?.lines[link.line];
    if (link.module === memoryModule && line !== undefined) bytes.set(lineKey(line), link.bytes);
  }
  const node = breakdown.modules[module];
  const memoryNode = memoryModule === undefined ? undefined : memory?.modules[memoryModule];
  return {
    time,
    bytes,
    allTime: node === undefined ? 0 : timeOf(node.total, clock),
    allBytes: sumOf(memoryNode?.total ?? none),
  };
}

/** What lines spend below one place in the tree of lines. A line's memory has no callers, so it counts whole. */
export function withinLine(breakdown: Breakdown, node: number, memory: MemoryPeak | undefined, clock: Clock): Within {
  const time = new Map<string, number>();
  const end = breakdown.lines[node]?.end ?? 0;
  const around: string[] = []; // keys of the places from `node` down to the one that is looked at
  const top = breakdown.lines[node]?.depth ?? 0;
  for (let i = node; i < end; ++i) {
    const place = breakdown.lines[i];
    if (place === undefined) continue;
    const key = `${place.name}:${place.line}`;
    around.length = place.depth - top;
    // A line that calls itself counts what is below it once.
    if (!around.includes(key)) time.set(key, (time.get(key) ?? 0) + timeOf(place.total, clock));
    around.push(key);
  }
  const bytes = new Map<string, number>();
  for (const line of memory?.lines ?? []) if (time.has(lineKey(line))) bytes.set(lineKey(line), sumOf(line.total));
  const root = breakdown.lines[node];
  return {
    time,
    bytes,
    allTime: root === undefined ? 0 : timeOf(root.total, clock),
    allBytes: sumOf([...bytes.values()]),
  };
}

export function linkTime(link: CodeLink, clock: Clock): number {
  return clock === "host" ? link.host_ns : link.device_ns;
}

/** What stands beside a line: two bars and a text. Of its own, as on the terminal: own shares add up to the whole. */
export interface LineMark {
  readonly line: number;
  readonly time: number; // share of the iteration
  readonly reach: number; // the same with what the project's lines below it take
  readonly bytes: number; // share of the peak
  readonly text: string;
  readonly isOutside: boolean; // not part of what is opened
}

export interface Wholes {
  readonly time: number;
  readonly bytes: number;
}

// What is less than this of the whole is not worth a text.
const leastShare = 0.005;

/** Of numbers that are not those of the file as it is, all lines are outside. */
export function lineMarks(
  costs: FileCosts | undefined,
  within: Within | undefined,
  wholes: Wholes,
  isOutdated = false,
): LineMark[] {
  return [...(costs?.lines.values() ?? [])]
    .sort((a, b) => a.line - b.line)
    .map((cost) => {
      const time = wholes.time > 0 ? cost.ownTime / wholes.time : 0;
      const reach = wholes.time > 0 ? cost.time / wholes.time : 0;
      const bytes = wholes.bytes > 0 ? cost.bytes / wholes.bytes : 0;
      const elsewhere = wholes.time > 0 ? cost.elsewhereTime / wholes.time : 0;
      const texts = [
        time >= leastShare ? formatShare(time) : "",
        elsewhere >= leastShare ? `elsewhere ${formatShare(elsewhere)}` : "",
        bytes >= leastShare ? formatBytes(cost.bytes) : "",
      ];
      const key = lineKey(cost);
      const isOutside = isOutdated || (within !== undefined && !within.time.has(key) && !within.bytes.has(key));
      return { line: cost.line, time, reach, bytes, text: texts.filter((text) => text !== "").join(" · "), isOutside };
    });
}
