// Slices and what links them, as they are drawn.
import type { FlowKind, SliceDetails, SliceRef } from "@protocol/messages";
import { assertUnreachable } from "../../../base/result";

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

const mostArrows = 60; // more hide what they point at; the panel lists them all

/** Arrows from operator to launch to the work of a device, and from forward to backward. */
export function flowsOf(trace: string, details: SliceDetails): PlacedFlow[] {
  const own = placeOf(trace, details.slice);
  const { category } = details.slice;
  const isActivity = activities.has(category);
  const arrows: PlacedFlow[] = [];
  const arrow = (kind: FlowKind, from: PlacedSlice, to: PlacedSlice): void => void arrows.push({ kind, from, to });
  // Activities follow the launch that started them; an activity's launch comes before its operator.
  let launch = launches.has(category) ? own : undefined;
  for (const flow of details.flows) {
    const other = placeOf(trace, flow.slice);
    switch (flow.kind) {
      case "launch":
        launch = other;
        if (isActivity) arrow("activity", other, own);
        else arrow("launch", own, other);
        break;
      case "activity":
        arrow("activity", launch ?? own, other);
        break;
      case "op":
        if (launch === undefined) arrow("activity", other, own);
        else arrow("launch", other, launch);
        break;
      case "forward":
        arrow("forward", other, own);
        break;
      case "backward":
        arrow("backward", own, other);
        break;
      default:
        assertUnreachable(flow.kind);
    }
  }
  return arrows.slice(0, mostArrows);
}
