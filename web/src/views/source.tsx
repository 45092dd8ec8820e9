import { numberParam, paramOf } from "../base/url_state";
import type { TraceViewProps } from "../model/view_def";

export function View(_: TraceViewProps) {
  return (
    <p>
      {paramOf("path")}:{numberParam("line")}
    </p>
  );
}
