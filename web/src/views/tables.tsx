// The views that are one table each: operators, kernels, modules and so on.
import type { Cell, ColumnDef } from "@protocol/messages";
import type { ComponentType } from "preact";
import { hrefOf } from "../base/url_state";
import type { TraceViewProps } from "../model/view_def";
import { DataTable } from "../widgets/data_table";

/** A view of the table of this name. */
export function tableView(name: string): { readonly View: ComponentType<TraceViewProps> } {
  return {
    View: ({ hello, trace }: TraceViewProps) => (
      <DataTable
        key={trace.id}
        hello={hello}
        trace={trace}
        name={name}
        hasSteps={name !== "steps"}
        linkOf={trace.has_sources ? linkOf : undefined}
      />
    ),
  };
}

// Tables of lines say where they are in two columns, `file` and `line`; the place that people read leads there.
function linkOf(column: ColumnDef, cellOf: (name: string) => Cell | undefined): string | undefined {
  if (column.name !== "place" && column.name !== "file") return undefined;
  const file = cellOf("file");
  const line = cellOf("line");
  if (typeof file !== "string" || file === "" || typeof line !== "number") return undefined;
  return hrefOf("source", { path: file, line: String(line) });
}
