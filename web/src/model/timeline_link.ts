// Where in the timeline something is.
import type { TraceSummary } from "@protocol/messages";

/** Params of the timeline's address that show this stretch of a trace, with a little of what is around it. */
export function timelineAt({ offset_ns }: TraceSummary, start_ns: number, end_ns: number): Record<string, string> {
  const margin = Math.max(10, Math.round((end_ns - start_ns) * 0.05));
  // All traces share one axis, which begins with the earliest.
  return { start: String(offset_ns + start_ns - margin), end: String(offset_ns + end_ns + margin) };
}

/** Params that look for slices of this name. */
export function timelineOf(name: string): Record<string, string> {
  return { find: name };
}
