// A small session for tests: a model with two blocks and a head, an optimizer, two files.
import type {
  Breakdown,
  BreakdownNode,
  HistoryEntry,
  MemoryNode,
  MemoryPeak,
  SessionResult,
  SessionState,
  Term,
  Times,
} from "@protocol/messages";

export const phases: readonly Term[] = [
  "forward",
  "backward",
  "recompute",
  "optimizer",
  "zero_grad",
  "data",
  "collectives",
  "python",
  "untracked",
].map((name) => ({ name, definition: `What ${name} is.` }));
export const roles: readonly Term[] = [
  "weights",
  "buffers",
  "gradients",
  "optimizer_state",
  "inputs",
  "activations",
  "temporaries",
  "other",
].map((name) => ({ name, definition: `What ${name} are.` }));

export function times(by: Readonly<Record<string, number>>, calls = 1): Times {
  return { host: phases.map(({ name }) => by[name] ?? 0), device: phases.map(() => 0), calls };
}

interface Place {
  readonly name: string;
  readonly class_name?: string;
  readonly function?: string;
  readonly line?: number;
  readonly own: Readonly<Record<string, number>>;
  readonly inside?: readonly Place[];
}

function add(to: BreakdownNode[], place: Place, parent: number, depth: number): number[] {
  const index = to.length;
  const own = times(place.own);
  to.push(undefined as unknown as BreakdownNode);
  const totals = [...own.host];
  for (const child of place.inside ?? [])
    add(to, child, index, depth + 1).forEach((ns, i) => (totals[i] = (totals[i] ?? 0) + ns));
  to[index] = {
    parent,
    depth,
    end: to.length,
    name: place.name,
    class_name: place.class_name ?? "",
    function: place.function ?? "",
    line: place.line ?? 0,
    own,
    total: { ...own, host: totals, calls: to.length - index },
    uses: [],
  };
  return totals;
}

export function tree(place: Place): BreakdownNode[] {
  const nodes: BreakdownNode[] = [];
  add(nodes, place, -1, 0);
  return nodes;
}

// 1000 ns: blocks.0 300, blocks.1 400, head 100, blocks itself 10, loss 50, optimizer 80, zero_grad 10, python 50.
export const modules = tree({
  name: "",
  own: { forward: 20, backward: 30, optimizer: 80, zero_grad: 10, python: 40 },
  inside: [
    {
      name: "",
      class_name: "Net",
      own: { python: 10 },
      inside: [
        {
          name: "blocks",
          class_name: "Sequential",
          own: { forward: 10 },
          inside: [
            { name: "blocks.0", class_name: "Block", own: { forward: 100, backward: 200 } },
            {
              name: "blocks.1",
              class_name: "Block",
              own: {},
              inside: [{ name: "blocks.1.conv", class_name: "Conv2d", own: { forward: 150, backward: 250 } }],
            },
          ],
        },
        { name: "head", class_name: "Linear", own: { forward: 40, backward: 60 } },
      ],
    },
  ],
});

export const lines = tree({
  name: "",
  own: {},
  inside: [
    { name: "train.py", line: 5, function: "step", own: { optimizer: 80, zero_grad: 10 } },
    {
      name: "train.py",
      line: 4,
      function: "step",
      own: { forward: 20, backward: 30, python: 40 },
      inside: [
        { name: "model.py", line: 8, function: "Net.forward", own: { forward: 160, backward: 260, python: 10 } },
        { name: "model.py", line: 9, function: "Net.forward", own: { forward: 140, backward: 250 } },
      ],
    },
  ],
});

const total = (node: BreakdownNode | undefined): Times => node?.total ?? times({});
const own = (node: BreakdownNode | undefined): Times => node?.own ?? times({});

// Without samples of workers.
const alone = { near_ns: 0, elsewhere_ns: 0 };

export const breakdown: Breakdown = {
  step_number: 3,
  start_ns: 0,
  end_ns: 1000,
  has_device: false,
  modules,
  lines,
  flat_lines: [
    { file: "model.py", line: 8, function: "Net.forward", own: own(lines[3]), total: total(lines[3]), ...alone },
    { file: "model.py", line: 9, function: "Net.forward", own: own(lines[4]), total: total(lines[4]), ...alone },
    { file: "train.py", line: 4, function: "step", own: own(lines[2]), total: total(lines[2]), ...alone },
    { file: "train.py", line: 5, function: "step", own: own(lines[1]), total: total(lines[1]), ...alone },
  ],
  links: [
    { module: 0, line: 0, host_ns: 430, device_ns: 0 },
    { module: 0, line: 1, host_ns: 390, device_ns: 0 },
    { module: 0, line: 2, host_ns: 910, device_ns: 0 },
    { module: 0, line: 3, host_ns: 90, device_ns: 0 },
    { module: 1, line: 0, host_ns: 430, device_ns: 0 },
    { module: 1, line: 1, host_ns: 390, device_ns: 0 },
    { module: 1, line: 2, host_ns: 820, device_ns: 0 },
    { module: 3, line: 0, host_ns: 300, device_ns: 0 },
    { module: 3, line: 2, host_ns: 300, device_ns: 0 },
    { module: 4, line: 1, host_ns: 290, device_ns: 0 },
    { module: 4, line: 0, host_ns: 110, device_ns: 0 },
    { module: 4, line: 2, host_ns: 400, device_ns: 0 },
    { module: 6, line: 1, host_ns: 100, device_ns: 0 },
    { module: 6, line: 2, host_ns: 100, device_ns: 0 },
  ],
  places: [-1, 2, 0, 0, 0, 1, 1],
};

const byRole = (bytes: Readonly<Record<string, number>>): number[] => roles.map(({ name }) => bytes[name] ?? 0);

function node(
  parent: number,
  depth: number,
  end: number,
  name: string,
  class_name: string,
  mine: Readonly<Record<string, number>>,
  all: Readonly<Record<string, number>>,
): MemoryNode {
  return { parent, depth, end, name, class_name, own: byRole(mine), total: byRole(all), blocks: 1 };
}

export const memory: MemoryPeak = {
  device: "cpu",
  peak_bytes: 1000,
  time_ns: 500,
  step: 3,
  older_bytes: 0,
  roles: byRole({ weights: 200, gradients: 100, activations: 600, temporaries: 100 }),
  modules: [
    node(-1, 0, 4, "", "", { temporaries: 100 }, { weights: 200, gradients: 100, activations: 600, temporaries: 100 }),
    node(0, 1, 4, "", "Net", {}, { weights: 200, gradients: 100, activations: 600 }),
    node(1, 2, 3, "blocks.0", "Block", { weights: 50, activations: 400 }, { weights: 50, activations: 400 }),
    node(
      1,
      2,
      4,
      "head",
      "Linear",
      { weights: 150, gradients: 100, activations: 200 },
      { weights: 150, gradients: 100, activations: 200 },
    ),
  ],
  lines: [
    { file: "model.py", line: 8, function: "Net.forward", total: byRole({ activations: 400 }), blocks: 1 },
    {
      file: "model.py",
      line: 9,
      function: "Net.forward",
      total: byRole({ activations: 200, gradients: 100 }),
      blocks: 2,
    },
    { file: "model.py", line: 3, function: "Net.__init__", total: byRole({ weights: 200 }), blocks: 2 },
    { file: "", line: 0, function: "", total: byRole({ temporaries: 100 }), blocks: 1 },
  ],
  blocks: [],
  block_count: 6,
  links: [
    { module: 2, line: 0, bytes: 400 },
    { module: 2, line: 2, bytes: 50 },
    { module: 3, line: 1, bytes: 300 },
    { module: 3, line: 2, bytes: 150 },
  ],
};

export function state(over: Partial<SessionState> = {}): SessionState {
  return {
    state: "idle",
    save: 1,
    phase: "",
    phase_ms: 0,
    fraction: 0,
    result_save: 1,
    is_stale: false,
    is_unsaved: false,
    has_output: false,
    note: "",
    changed: [],
    history: [],
    ...over,
  };
}

export function result(over: Partial<SessionResult> = {}): SessionResult {
  return {
    save: 1,
    source_hash: "",
    batch_size: 32,
    device: "cpu",
    in_fresh_process: false,
    is_timed: true,
    is_complete: true,
    headline: [],
    iteration: {
      median_ns: 1000,
      low_ns: 990,
      high_ns: 1010,
      quarter_ns: 995,
      three_quarters_ns: 1005,
      count: 41,
      uncertainty: 0.01,
    },
    samples_per_second: 1000,
    tokens_per_second: 0,
    compile_ns: 0,
    peak_bytes: 3200,
    resident_bytes: 0,
    capacity_bytes: 10000,
    capacity_source: "RAM",
    no_literal: "",
    samples: [],
    failures: [],
    ...over,
  };
}

export function entry(save: number, samples_per_second: number, over: Partial<HistoryEntry> = {}): HistoryEntry {
  return {
    save,
    time_ms: 0,
    is_earlier: false,
    changed: [],
    batch_size: 32,
    samples_per_second,
    uncertainty: 0.01,
    peak_bytes: 1000,
    trouble: "",
    is_complete: true,
    ...over,
  };
}
