// The views that are one table each: operators, kernels, modules and so on.
import type { ColumnDef } from "@protocol/messages";
import type { ComponentType } from "preact";
import { hrefOf } from "../base/url_state";
import type { Row } from "../model/table_window";
import type { TraceViewProps } from "../model/view_def";
import { DataTable } from "../widgets/data_table";

/** A view of the table of this name. */
export function tableView(name: string): { readonly View: ComponentType<TraceViewProps> } {
  return {
    View: ({ hello, trace }: TraceViewProps) => {
      const columns = hello.tables.find((table) => table.name === name)?.columns ?? [];
      return (
        <DataTable
          key={trace.id}
          hello={hello}
          trace={trace}
          name={name}
          hasSteps={name !== "steps"}
          linkOf={trace.has_sources ? (row, column) => sourceLink(columns, row, column) : undefined}
        />
      );
    },
  };
}

// Tables of lines say where they are in two columns, `file` and `line`; the place that people read leads there.
function sourceLink(columns: readonly ColumnDef[], row: Row, column: ColumnDef): string | undefined {
  if (column.name !== "place" && column.name !== "file") return undefined;
  const file = row[columns.findIndex(({ name }) => name === "file")];
  const line = row[columns.findIndex(({ name }) => name === "line")];
  if (typeof file !== "string" || file === "" || typeof line !== "number") return undefined;
  return hrefOf("source", { path: file, line: String(line) });
}
