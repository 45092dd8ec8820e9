// The colours that a column uses, and what they mean. Words that share a colour share an entry.
import { type Role, roleOf } from "../../../base/roles";
import type { Segment } from "../../../model/breakdown/tree";

export interface LegendEntry {
  readonly role: Role;
  readonly words: readonly string[];
}

/** In the order of `words`, the engine's own. */
export function legendOf(segments: readonly Segment[], words: readonly string[]): readonly LegendEntry[] {
  const present = new Set(segments.flatMap(({ parts }) => parts.map(({ word }) => word)));
  const entries = new Map<Role, string[]>();
  for (const word of [
    ...words.filter((each) => present.has(each)),
    ...[...present].filter((w) => !words.includes(w)),
  ]) {
    const role = roleOf(word);
    entries.set(role, [...(entries.get(role) ?? []), word]);
  }
  return [...entries].map(([role, of]) => ({ role, words: of }));
}
