// Modules and lines of the session by a part of their names: what is typed behind `/`.
import type { Breakdown } from "@protocol/messages";
import type { FileCosts } from "../../../model/breakdown/lines";
import type { CodePlace } from "../../../model/breakdown/pointing";
import { type Clock, fileName, pathTo, timeOf } from "../../../model/breakdown/tree";

export interface Found {
  readonly kind: "module" | "line";
  readonly label: string;
  readonly detail: string;
  readonly time: number; // ns, with what it calls
  readonly node: number; // of the tree of modules, what to open for it; -1: a line
  readonly place: CodePlace | undefined; // what to show of the code
}

const most = 12;

/** Each word of `text` must be found somewhere in a name; the longest times first. */
export function searchPlaces(
  breakdown: Breakdown | undefined,
  costs: readonly FileCosts[],
  text: string,
  clock: Clock,
): readonly Found[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return [];
  const isMatch = (...names: readonly string[]): boolean => {
    const all = names.join(" ").toLowerCase();
    return words.every((word) => all.includes(word));
  };
  const found: Found[] = [];
  breakdown?.modules.forEach((node, i) => {
    if (i === 0 || !isMatch(node.name, node.class_name)) return;
    const line = breakdown.flat_lines[breakdown.places[i] ?? -1];
    found.push({
      kind: "module",
      label: node.name === "" ? node.class_name : node.name,
      detail: node.name === "" ? "" : node.class_name,
      time: timeOf(node.total, clock),
      node: openable(breakdown, i),
      place: line === undefined ? undefined : { path: line.file, line: line.line },
    });
  });
  for (const { file, line, function: name, time } of costs.flatMap(({ lines }) => [...lines.values()])) {
    const label = `${fileName(file)}:${line}`;
    if (isMatch(label, name))
      found.push({ kind: "line", label, detail: name, time, node: -1, place: { path: file, line } });
  }
  return found.sort((a, b) => b.time - a.time).slice(0, most);
}

// A module with nothing inside is shown where it stands: in the one around it.
function openable({ modules }: Breakdown, node: number): number {
  return (
    pathTo(modules, node)
      .reverse()
      .find((each) => (modules[each]?.end ?? 0) > each + 1) ?? 0
  );
}
