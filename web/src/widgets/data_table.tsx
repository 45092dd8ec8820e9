// One of the server's tables, with all that people do to tables: sort, filter, group, choose a step, copy. What was
// chosen stands in the address.
import type { Hello, TableDef, TraceSummary } from "@protocol/messages";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { csvOf } from "../base/csv";
import { formatCounted } from "../base/format";
import { paramOf, setParams } from "../base/url_state";
import { chosenStep, tableDef } from "../model/app";
import { host } from "../model/page_host";
import { columnsOf } from "../model/table_columns";
import { type TableQuery, type TableWindow, useTableWindow } from "../model/table_window";
import { Phase, Trouble } from "./answer";
import { Grid, type GridProps } from "./grid";
import { StepPicker } from "./step_picker";

export interface DataTableProps extends Pick<GridProps, "onOpen" | "linkOf"> {
  readonly hello: Hello;
  readonly trace: TraceSummary;
  readonly name: string;
  readonly group?: string; // that rows stand by unless the address says otherwise; else the table's own
  readonly hasSteps?: boolean; // it can be limited to one step
  readonly openHint?: string; // what onOpen does
  readonly children?: ComponentChildren; // more for the toolbar
}

export function DataTable({
  hello,
  trace,
  name,
  group = "",
  hasSteps = true,
  onOpen,
  linkOf,
  openHint,
  children,
}: DataTableProps) {
  const def = tableDef(hello, name);
  const sort = paramOf("sort");
  const step = hasSteps ? chosenStep.value : undefined;
  const query: TableQuery = {
    trace: trace.id,
    name,
    ...optional("group_by", paramOf("by") || group),
    ...optional("sort", sort),
    ...optional("filter", paramOf("filter")),
    ...(step === undefined ? {} : { step }),
  };
  const { window, isStale, trouble } = useTableWindow(query);
  const rank = trace.rank >= 0 ? trace.rank : hello.traces.findIndex(({ id }) => id === trace.id);
  return (
    <section class="stretch" aria-label={def?.sentence ?? name}>
      <div class="toolbar">
        <FilterField label={`Filter ${name}`} />
        {def !== undefined && <GroupPicker def={def} usual={group || (def.group_by[0] ?? "")} />}
        {hasSteps && <StepPicker trace={trace.id} />}
        {children}
        <span class="right dim">{openHint}</span>
        <span class="dim" role="status">
          {window === undefined ? "" : formatCounted(window.rowCount, "row", "rows")}
        </span>
        {window !== undefined && <CopyButton window={window} rank={rank} />}
      </div>
      {trouble !== "" && <Trouble sentence={trouble} />}
      {trouble === "" && window === undefined && <Phase text={def?.sentence ?? "Making the table"} />}
      {trouble === "" && window !== undefined && window.rowCount === 0 && (
        <NoRows def={def} isFiltered={paramOf("filter") !== ""} />
      )}
      {trouble === "" && window !== undefined && window.rowCount > 0 && (
        <>
          <Grid
            window={window}
            label={def?.sentence ?? name}
            sort={sort}
            isStale={isStale}
            onSort={(next) => setParams({ sort: next })}
            onOpen={onOpen}
            linkOf={linkOf}
          />
          <Zeros window={window} />
        </>
      )}
    </section>
  );
}

function optional<K extends string>(key: K, value: string): { readonly [P in K]?: string } {
  return (value === "" ? {} : { [key]: value }) as { readonly [P in K]?: string };
}

function FilterField({ label }: { readonly label: string }) {
  return (
    <input
      type="search"
      placeholder="Filter   /"
      aria-label={label}
      value={paramOf("filter")}
      onInput={(event) => setParams({ filter: event.currentTarget.value }, "replace")}
      onKeyDown={(event) => {
        if (event.key === "Escape" && event.currentTarget.value !== "") {
          setParams({ filter: "" }, "replace");
          event.preventDefault();
        }
      }}
    />
  );
}

function GroupPicker({ def, usual }: { readonly def: TableDef; readonly usual: string }) {
  if (def.group_by.length < 2) return undefined;
  return (
    <label>
      <span class="dim">by </span>
      <select
        aria-label="Group by"
        value={paramOf("by") || usual}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          setParams({ by: chosen === usual ? "" : chosen, sort: "" });
        }}
      >
        {def.group_by.map((group) => (
          <option key={group} value={group}>
            {group}
          </option>
        ))}
      </select>
    </label>
  );
}

function CopyButton({ window, rank }: { readonly window: TableWindow; readonly rank: number }) {
  const [said, setSaid] = useState("");
  const copy = async (): Promise<void> => {
    setSaid("Copying …");
    const rows = await window.all();
    if (!rows.ok) return setSaid(rows.sentence);
    const copied = await host.copyText(csvOf(window.columns, rows.value, rank));
    setSaid(copied.ok ? `${formatCounted(rows.value.length, "row", "rows")} copied` : copied.sentence);
  };
  return (
    <>
      <button
        type="button"
        data-tip="All rows and columns, numbers exact, as comma-separated values"
        onClick={() => void copy()}
      >
        Copy as CSV
      </button>
      {said !== "" && (
        <span class="dim" role="status">
          {said}
        </span>
      )}
    </>
  );
}

function NoRows({ def, isFiltered }: { readonly def: TableDef | undefined; readonly isFiltered: boolean }) {
  return (
    <p class="empty dim" role="note">
      {isFiltered ? "No row contains this text." : `Nothing to show. This table needs ${def?.needs ?? "other data"}.`}
    </p>
  );
}

function Zeros({ window }: { readonly window: TableWindow }) {
  const zeros = columnsOf(window).zeros.filter(({ unit }) => unit !== "number");
  if (zeros.length === 0) return undefined;
  return <p class="grid-zeros dim">Nothing in: {zeros.map(({ title }) => title).join(", ")}</p>;
}
