import type { TraceViewProps } from "../model/view_def";

export function View({ trace }: TraceViewProps) {
  return <p>{trace.name}</p>;
}
