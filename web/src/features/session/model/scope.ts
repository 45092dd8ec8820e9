// What is opened in the session view: a place in the tree of modules or of lines. It stands in the address by its
// name, so that it is found again after the next save, or the nearest place around it that is still there.
import type { Breakdown } from "@protocol/messages";
import { labelOf, nodeKeys, pathTo, type TreeKind } from "../../../model/breakdown/tree";

const joint = "›";

/** The names by which places are opened; of lines with their callers, as a line can be reached in several ways. */
export function scopeNames(breakdown: Breakdown, by: TreeKind): string[] {
  const tree = breakdown[by];
  const keys = nodeKeys(tree);
  if (by === "modules") return keys;
  const names: string[] = [];
  tree.forEach(({ parent }, i) => {
    const around = names[parent] ?? "";
    names.push(parent < 0 ? "" : around === "" ? (keys[i] ?? "") : `${around}${joint}${keys[i] ?? ""}`);
  });
  return names;
}

/** The place with this name, or the nearest around it; 0, the whole iteration, if there is none. */
export function findScope(names: readonly string[], name: string): number {
  for (let wanted = name; wanted !== ""; wanted = around(wanted)) {
    const found = names.indexOf(wanted);
    if (found > 0) return found;
  }
  return 0;
}

function around(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf(name.includes(joint) ? joint : ".")));
}

export interface Crumb {
  readonly name: string; // for the address
  readonly label: string;
}

/** The way to a place, the iteration first. */
export function crumbsTo(breakdown: Breakdown, by: TreeKind, names: readonly string[], node: number): Crumb[] {
  const tree = breakdown[by];
  let around = "";
  return pathTo(tree, node).map((i) => {
    const place = tree[i];
    const label = i === 0 || place === undefined ? "Iteration" : labelOf(place, around);
    around = place?.name ?? "";
    return { name: names[i] ?? "", label };
  });
}
