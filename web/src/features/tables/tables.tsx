// The views that are one table each: operators, kernels, modules and so on.
import type { ColumnDef, TraceSummary } from "@protocol/messages";
import type { ComponentType } from "preact";
import { go } from "../../base/url_state";
import { type FindFile, useSourceFiles } from "../../model/source_files";
import type { TraceViewProps } from "../../model/view_def";
import { DataTable } from "../../widgets/data_table";
import type { CellOf } from "../../widgets/grid";
import { lineLink } from "../../model/source_link";
import { timelineAt, timelineOf } from "../../model/timeline_link";

/** A view of the table of this name. */
export function tableView(name: string): { readonly View: ComponentType<TraceViewProps> } {
  return {
    View: ({ hello, trace }: TraceViewProps) => {
      const find = useSourceFiles(trace.id);
      return (
        <DataTable
          key={trace.id}
          hello={hello}
          trace={trace}
          name={name}
          hasSteps={name !== "steps"}
          linkOf={(column, cellOf) => linkOf(find, column, cellOf)}
          onOpen={inTimeline.has(name) ? (cellOf) => findInTimeline(trace, cellOf) : undefined}
          openHint={inTimeline.has(name) ? "Double click finds a row in the timeline" : undefined}
        />
      );
    },
  };
}

// Tables of lines say where they are in two columns, `file` and `line`; the place that people read leads there.
function linkOf(find: FindFile, column: ColumnDef, cellOf: CellOf): string | undefined {
  if (column.name !== "place" && column.name !== "file") return undefined;
  return lineLink(find, cellOf("file"), cellOf("line"));
}

const inTimeline: ReadonlySet<string> = new Set(["ops", "kernels", "calls"]);

// A single call by its time, others by their name.
function findInTimeline(trace: TraceSummary, cellOf: CellOf): void {
  const name = cellOf("name");
  const start = cellOf("start");
  const duration = cellOf("duration");
  if (typeof start === "number" && typeof duration === "number") {
    go("timeline", timelineAt(trace, start, start + duration));
  } else if (typeof name === "string") {
    go("timeline", timelineOf(name));
  }
}
