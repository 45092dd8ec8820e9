// One level of where memory goes at the peak: by role at first, by module or line once a role or a place is opened.
import type { MemoryLine, MemoryNode, MemoryPeak, Term } from "@protocol/messages";
import { fileName, labelOf, nodeKeys, type Part, type Segment, sumOf, type TreeKind, unfold } from "./tree";

// In which order roles stand, whatever their sizes: a column that is looked at after each save should not dance.
const order: readonly string[] = [
  "activations",
  "weights",
  "gradients",
  "optimizer_state",
  "inputs",
  "buffers",
  "temporaries",
  "other",
];

const short: Readonly<Record<string, string>> = { optimizer_state: "optimizer", temporaries: "temporary" };

export function roleLabel(word: string): string {
  return short[word] ?? word.replaceAll("_", " ");
}

function rank(word: string): number {
  const found = order.indexOf(word);
  return found < 0 ? order.length : found;
}

/** The roles in the order they are shown in, by their numbers. */
export function roleOrder(roles: readonly Term[]): number[] {
  return roles.map((_, i) => i).sort((a, b) => rank(roles[a]?.name ?? "") - rank(roles[b]?.name ?? "") || a - b);
}

/** What is shown: everything, one place and what is inside, or one line and what it calls. */
export type MemoryScope =
  | { readonly kind: "all" }
  | { readonly kind: "module"; readonly node: number }
  | { readonly kind: "lines"; readonly keys: ReadonlySet<string> };

/** The segments of a scope; with a role only its bytes. Undefined scope parts are never drawn, so they add up. */
export function memorySegments(
  memory: MemoryPeak,
  roles: readonly Term[],
  scope: MemoryScope,
  role: number | undefined,
  by: TreeKind,
): Segment[] {
  if (scope.kind === "all" && role === undefined) return roleSegments(memory, roles);
  const values = (bytes: readonly number[]): Part[] => partsOf(bytes, roles, role);
  if (scope.kind === "lines" || by === "lines") return lineSegments(memory.lines, scope, values);
  return moduleSegments(memory.modules, scope.kind === "module" ? scope.node : 0, values);
}

function partsOf(bytes: readonly number[], roles: readonly Term[], role: number | undefined): Part[] {
  return roleOrder(roles).flatMap((i) => {
    const value = bytes[i] ?? 0;
    return value > 0 && (role === undefined || role === i) ? [{ word: roles[i]?.name ?? "other", value }] : [];
  });
}

const valueOf = (parts: readonly Part[]): number => sumOf(parts.map(({ value }) => value));

function roleSegments(memory: MemoryPeak, roles: readonly Term[]): Segment[] {
  return roleOrder(roles).flatMap((i): Segment[] => {
    const { name: word, definition } = roles[i] ?? { name: "other", definition: "" };
    const value = memory.roles[i] ?? 0;
    if (value === 0) return [];
    return [
      {
        key: `#${word}`,
        kind: "role",
        label: roleLabel(word),
        detail: definition,
        node: i,
        value,
        parts: [{ word, value }],
        canOpen: true,
        members: [],
      },
    ];
  });
}

function moduleSegments(
  tree: readonly MemoryNode[],
  scope: number,
  values: (bytes: readonly number[]) => Part[],
): Segment[] {
  const keys = nodeKeys(tree);
  const total = (node: number): number => valueOf(values(tree[node]?.total ?? []));
  const { shown, opened } = unfold(tree, scope, total);
  const places = shown.flatMap((node): Segment[] => {
    const module = tree[node];
    if (module === undefined) return [];
    const parts = values(module.total);
    const label = labelOf(module, tree[scope]?.name ?? "");
    return [
      {
        key: keys[node] ?? "",
        kind: "place",
        label,
        detail: module.class_name,
        node,
        value: valueOf(parts),
        parts,
        canOpen: module.end > node + 1,
        members: [],
      },
    ];
  });
  const own = opened.flatMap((node): Segment[] => {
    const module = tree[node];
    const parts = values(module?.own ?? []);
    if (module === undefined || parts.length === 0) return [];
    const label = node === 0 ? "no module" : node === scope ? "itself" : `${labelOf(module, "")} itself`;
    const detail = node === 0 ? "blocks that belong to no module" : "blocks that belong to no module inside";
    return [
      {
        key: `${keys[node] ?? ""}#own`,
        kind: "own",
        label,
        detail,
        node,
        value: valueOf(parts),
        parts,
        canOpen: false,
        members: [],
      },
    ];
  });
  return places.concat(own).sort((a, b) => b.value - a.value || a.node - b.node);
}

export function lineKey(line: { readonly file: string; readonly line: number }): string {
  return `${line.file}:${line.line}`;
}

function lineSegments(
  lines: readonly MemoryLine[],
  scope: MemoryScope,
  values: (bytes: readonly number[]) => Part[],
): Segment[] {
  return lines
    .flatMap((line, node): Segment[] => {
      if (scope.kind === "lines" && !scope.keys.has(lineKey(line))) return [];
      const parts = values(line.total);
      if (parts.length === 0) return [];
      const label = line.file === "" ? "place not known" : `${fileName(line.file)}:${line.line}`;
      return [
        {
          key: lineKey(line),
          kind: "place",
          label,
          detail: line.function,
          node,
          value: valueOf(parts),
          parts,
          canOpen: false,
          members: [],
        },
      ];
    })
    .sort((a, b) => b.value - a.value || a.node - b.node);
}
