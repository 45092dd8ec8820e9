// Memory over time, and what is alive when a step needs the most of it.
import type { ColumnDef, Hello, MemoryCurve as Curve, MemoryPeak } from "@protocol/messages";
import { formatBytes, formatNs, formatShare } from "../../base/format";
import { numberParam, setParams } from "../../base/url_state";
import { shownOf, useAnswer } from "../../model/answers";
import { chosenStep } from "../../model/app";
import { useKeys } from "../../model/keys";
import { type FindFile, useSourceFiles } from "../../model/source_files";
import type { TraceViewProps } from "../../model/view_def";
import { Answered } from "../../widgets/answer";
import { DataTable } from "../../widgets/data_table";
import type { CellOf } from "../../widgets/grid";
import { MemoryCurve } from "./memory_curve";
import { StackedBar } from "../../widgets/stacked_bar";
import { placeLink } from "../../model/source_link";
import "./memory.css";

const points = 1000; // about one per pixel

export function View({ hello, trace }: TraceViewProps) {
  const device = numberParam("device");
  const start_ns = numberParam("from");
  const end_ns = numberParam("to");
  const step = chosenStep.value;
  const isZoomed = start_ns !== undefined || end_ns !== undefined;
  const curve = useAnswer("memory_curve", { trace: trace.id, points, ...defined({ device, start_ns, end_ns }) });
  const peak = useAnswer("memory_peak", { trace: trace.id, ...defined({ step, device }) });
  const steps = shownOf(useAnswer("overview", { trace: trace.id }))?.steps ?? noSteps;
  const find = useSourceFiles(trace.id);
  const zoomOut = (): void => setParams({ from: "", to: "" });
  useKeys(
    [{ keys: ["Escape"], what: "Show the whole curve again", run: () => (isZoomed ? zoomOut() : false) }],
    [isZoomed],
  );
  return (
    <div class="stretch memory">
      <Answered answer={peak} phase="Looking for the peak">
        {(value) => <Say peak={value} hello={hello} />}
      </Answered>
      <Answered answer={curve} phase="Adding up allocations">
        {(value) => (
          <>
            <div class="toolbar memory-bar">
              <h2>Memory over time</h2>
              <DevicePicker curve={value} />
              {isZoomed && (
                <button type="button" onClick={zoomOut}>
                  Show all
                </button>
              )}
            </div>
            <MemoryCurve
              curve={value}
              steps={steps}
              listed_ns={shownOf(peak)?.time_ns}
              onSelect={(from, to) => setParams({ from: String(from), to: String(to) })}
            />
          </>
        )}
      </Answered>
      <div class="memory-alive">
        {peak.state !== "waiting" && (
          <DataTable
            key={trace.id}
            hello={hello}
            trace={trace}
            name="memory"
            group={tellingGroup(shownOf(peak))}
            linkOf={(column, cellOf) => linkOf(find, column, cellOf)}
          >
            <h2>Alive at the peak</h2>
          </DataTable>
        )}
      </div>
    </div>
  );
}

// What tells the most: places in the model, else in the code, else single blocks.
function tellingGroup(peak: MemoryPeak | undefined): string {
  if (peak === undefined) return "role";
  if (peak.modules.length > 1) return "module";
  return peak.lines.length > 1 ? "line" : "block";
}

// By line, the name is one.
function linkOf(find: FindFile, column: ColumnDef, cellOf: CellOf): string | undefined {
  return column.name === "line" || column.name === "name" ? placeLink(find, cellOf(column.name)) : undefined;
}

const noSteps: readonly never[] = [];

function defined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function DevicePicker({ curve }: { readonly curve: Curve }) {
  if (curve.devices.length < 2) return <span class="dim">{curve.devices[0]?.name}</span>;
  return (
    <select
      aria-label="Device"
      value={String(curve.device)}
      onChange={(event) => setParams({ device: event.currentTarget.value, from: "", to: "" })}
    >
      {curve.devices.map(({ name, peak_bytes }, index) => (
        <option key={name} value={String(index)}>
          {name} · peak {formatBytes(peak_bytes)}
        </option>
      ))}
    </select>
  );
}

function Say({ peak, hello }: { readonly peak: MemoryPeak; readonly hello: Hello }) {
  const parts = hello.memory_roles.map(({ name, definition }, index) => ({
    name,
    definition,
    value: peak.roles[index] ?? 0,
  }));
  const largest = parts.reduce((best, part) => (part.value > best.value ? part : best), {
    name: "",
    definition: "",
    value: 0,
  });
  return (
    <div class="memory-say">
      <h1 data-test="peak">
        {formatBytes(peak.peak_bytes)} at the peak
        {peak.step >= 0 ? ` of step ${peak.step}` : ""}, {formatNs(peak.time_ns)} after the start, on {peak.device}
        {largest.value > 0 &&
          `; ${formatShare(largest.value / peak.peak_bytes)} are ${largest.name.replaceAll("_", " ")}`}
        .
      </h1>
      <p class="dim">
        {peak.older_bytes > 0 &&
          `Besides, ${formatBytes(peak.older_bytes)} are known to live from before the recording.`}
      </p>
      <StackedBar label="Memory at the peak by role" parts={parts} total={peak.peak_bytes} format={formatBytes} />
    </div>
  );
}
