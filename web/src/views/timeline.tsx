import type { TraceViewProps } from "../model/view_def";

export function View({ trace }: TraceViewProps) {
  return <p>The timeline of {trace.name} will stand here.</p>;
}
