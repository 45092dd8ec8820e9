// Which role of theme.css a word of the engine has: a slice's category, a part of the verdict, a phase, a kind of
// memory. A word that is new here is shown in grey.

export type Role =
  | "compute"
  | "communication"
  | "copy"
  | "data"
  | "host"
  | "launch"
  | "idle"
  | "forward"
  | "backward"
  | "optimizer"
  | "other"
  | "weights"
  | "gradients"
  | "activations"
  | "inputs"
  | "temporaries"
  | "buffers"
  | "recompute";

const roles: Readonly<Record<string, Role>> = {
  // parts of the verdict
  "device compute": "compute",
  compute: "compute",
  communication: "communication",
  copy: "copy",
  input: "data",
  host: "host",
  idle: "idle",
  "host communication": "communication",
  // categories of slices
  kernel: "compute",
  memcpy: "copy",
  memset: "copy",
  cpu_op: "compute",
  user_annotation: "idle",
  gpu_user_annotation: "idle",
  python_function: "host",
  runtime: "launch",
  driver: "launch",
  // phases
  forward: "forward",
  backward: "backward",
  recompute: "recompute",
  optimizer: "optimizer",
  zero_grad: "optimizer",
  data: "data",
  collectives: "communication",
  python: "host",
  untracked: "other",
  // memory
  weights: "weights",
  buffers: "buffers",
  gradients: "gradients",
  optimizer_state: "optimizer",
  inputs: "inputs",
  activations: "activations",
  temporaries: "temporaries",
};

export function roleOf(word: string): Role {
  return roles[word] ?? "other";
}

/** For style attributes. */
export function colorOf(word: string): string {
  return `var(--${roleOf(word)})`;
}
