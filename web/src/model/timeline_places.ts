// Slices and what links them, as they are drawn.
import type { FlowKind, SliceDetails, SliceRef } from "@protocol/messages";

/** A slice of a trace, where it is drawn. Times are the trace's own. */
export interface PlacedSlice {
  readonly trace: string;
  readonly slice: number;
  readonly track: number;
  readonly row: number;
  readonly startNs: number;
  readonly endNs: number;
}

export interface PlacedFlow {
  readonly kind: FlowKind;
  readonly from: PlacedSlice;
  readonly to: PlacedSlice;
}

export function placeOf(trace: string, ref: SliceRef): PlacedSlice {
  const { slice, track, row, start_ns, dur_ns } = ref;
  return { trace, slice, track, row, startNs: start_ns, endNs: start_ns + dur_ns };
}

const launches: ReadonlySet<string> = new Set(["runtime", "driver"]);
const activities: ReadonlySet<string> = new Set(["kernel", "memcpy", "memset", "device_other"]);

/** Arrows from operator to launch to the work of a device, and from forward to backward. */
export function flowsOf(trace: string, details: SliceDetails): PlacedFlow[] {
  const own = placeOf(trace, details.slice);
  const linked = (kind: FlowKind): PlacedSlice[] =>
    details.flows.filter((flow) => flow.kind === kind).map(({ slice }) => placeOf(trace, slice));
  const category = details.slice.category;
  const isLaunch = launches.has(category);
  const isActivity = activities.has(category);
  const op = isLaunch || isActivity ? linked("op") : [own];
  const launch = isLaunch ? [own] : linked("launch");
  const activity = isActivity ? [own] : linked("activity");
  const hasDevice = launch.length > 0 || activity.length > 0;
  return [
    ...(hasDevice ? arrows("launch", op, launch) : []),
    ...(launch.length > 0 ? arrows("activity", launch, activity) : arrows("activity", op, activity)),
    ...linked("forward").map((from): PlacedFlow => ({ kind: "forward", from, to: own })),
    ...linked("backward").map((to): PlacedFlow => ({ kind: "backward", from: own, to })),
  ];
}

// Pairs by order, as they were made in that order; the last cause has all effects that are left.
function arrows(kind: FlowKind, causes: readonly PlacedSlice[], effects: readonly PlacedSlice[]): PlacedFlow[] {
  return effects.flatMap((to, i) => {
    const from = causes[Math.min(i, causes.length - 1)];
    return from === undefined ? [] : [{ kind, from, to }];
  });
}
