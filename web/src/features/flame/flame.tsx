// Where the time goes, as a tree of calls: host or device time, by Python stack or by module.
import type { Flame, FlameBy, FlameTime } from "@protocol/messages";
import { useMemo, useState } from "preact/hooks";
import { formatCounted, formatNs, formatShare } from "../../base/format";
import { numberParam, paramOf, setParams } from "../../base/url_state";
import { pathTo, searchFlame } from "./draw/layout";
import { useAnswer } from "../../model/answers";
import { chosenStep } from "../../model/app";
import { useKeys } from "../../model/keys";
import { host } from "../../model/page_host";
import type { TraceViewProps } from "../../model/view_def";
import { Answered, Words } from "../../widgets/answer";
import { Choice } from "../../widgets/choice";
import { describe, FlameGraph } from "./flame_graph";
import { StepPicker } from "../../widgets/step_picker";
import "./flame.css";

export function View({ trace }: TraceViewProps) {
  const hasPlaces = trace.has_stacks || trace.has_modules;
  const by: FlameBy = trace.has_modules && (paramOf("by") === "module" || !trace.has_stacks) ? "module" : "stack";
  const time: FlameTime = paramOf("time") === "device" && trace.has_device ? "device" : "host";
  const step = chosenStep.value;
  const isWhole = paramOf("frames") === "all";
  const answer = useAnswer("flame", {
    trace: trace.id,
    by,
    time,
    ...(step === undefined ? {} : { step }),
    ...(isWhole ? { all_frames: true } : {}),
  });
  return (
    <section class="stretch" aria-label="Flame graph">
      <div class="toolbar">
        <input
          type="search"
          placeholder="Search   /"
          aria-label="Search the flame graph"
          value={paramOf("search")}
          onInput={(event) => setParams({ search: event.currentTarget.value }, "replace")}
        />
        <Choice
          label="Time"
          value={time}
          onChoose={(value) => setParams({ time: value === "host" ? "" : value, node: "" })}
          options={[
            { value: "host", title: "Host time", tip: "Time that the thread spends in each call" },
            {
              value: "device",
              title: "Device time",
              tip: trace.has_device
                ? "Time of the device's work that each call launched"
                : "No work of a device was recorded",
              isOff: !trace.has_device,
            },
          ]}
        />
        <Choice
          label="By"
          value={by}
          onChoose={(value) => setParams({ by: value === "stack" ? "" : value, node: "" })}
          options={[
            {
              value: "stack",
              title: "Python stack",
              isOff: !trace.has_stacks,
              tip: trace.has_stacks ? undefined : "No Python stacks were recorded",
            },
            {
              value: "module",
              title: "Module",
              isOff: !trace.has_modules,
              tip: trace.has_modules ? undefined : "No modules were recorded",
            },
          ]}
        />
        {by === "stack" && trace.has_stacks && (
          <Choice
            label="Frames"
            value={isWhole ? "all" : "program"}
            onChoose={(value) => setParams({ frames: value === "all" ? "all" : "", node: "" })}
            options={[
              {
                value: "program",
                title: "Program",
                tip: "Without Skyline's own frames, those of runpy, and torch's wrappers around calls of modules",
              },
              { value: "all", title: "All frames" },
            ]}
          />
        )}
        <StepPicker trace={trace.id} />
      </div>
      {!hasPlaces && (
        <p class="flame-note dim" role="note">
          <Words text="Operators only: no Python stacks were recorded. `skyline run` records them, and torch.profiler does with `with_stack=True`." />
        </p>
      )}
      <Answered answer={answer} phase="Adding up calls">
        {(flame) => <Shown flame={flame} by={by} />}
      </Answered>
    </section>
  );
}

function Shown({ flame, by }: { readonly flame: Flame; readonly by: FlameBy }) {
  const search = paramOf("search");
  const wanted = numberParam("node") ?? 0;
  const zoom = wanted >= 0 && wanted < flame.parent.length ? wanted : 0;
  const [active, setActive] = useState(-1);
  const matches = useMemo(() => (search === "" ? undefined : searchFlame(flame, search)), [flame, search]);
  const zoomTo = (node: number): void => setParams({ node: node <= 0 ? "" : String(node) });
  useKeys(
    [
      {
        keys: ["Escape"],
        what: "Zoom out to the caller, then end the search",
        run: () => {
          if (zoom > 0) zoomTo(flame.parent[zoom] ?? 0);
          else if (search !== "") setParams({ search: "" });
          else return false;
          return true;
        },
      },
      { keys: ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"], what: "Walk through the calls", run: () => false },
      { keys: ["Enter"], what: "Zoom into the call", run: () => false },
      { keys: ["o"], what: "Open its line of code; also with Ctrl and a click", run: () => false },
    ],
    [zoom, search, flame],
  );
  const open = (node: number): void => {
    const place = flame.places[flame.place[node] ?? -1];
    if (place !== undefined) host.openFile(place.file, place.line);
  };
  const all = flame.total_ns[0] ?? 0;
  if (all === 0) return <p class="empty dim">No time was recorded that could be shown here.</p>;
  const shown = active >= 0 && active < flame.parent.length ? active : zoom;
  return (
    <>
      <nav class="flame-path" aria-label="Zoomed to">
        {pathTo(flame, zoom).map((node, at, path) => (
          <>
            {at > 0 && <span class="dim">›</span>}
            <button type="button" class="plain" aria-current={at === path.length - 1} onClick={() => zoomTo(node)}>
              {flame.names[flame.name[node] ?? -1]}
            </button>
          </>
        ))}
        {matches !== undefined && (
          <span class="right" role="status">
            {matches.count === 0
              ? "Nothing found"
              : `${formatCounted(matches.count, "call", "calls")} found, ${formatShare(matches.total_ns / all)} of all, ${formatNs(matches.total_ns)}`}
          </span>
        )}
      </nav>
      <FlameGraph
        flame={flame}
        by={by}
        zoom={zoom}
        matches={matches}
        onZoom={zoomTo}
        onActive={setActive}
        onOpen={open}
      />
      <div class="flame-footer" role="status" aria-live="polite">
        {describe(flame, shown)
          .split("\n")
          .map((line, at) => (at === 0 ? <b>{line}</b> : <span class="dim">{line}</span>))}
        {flame.left_out > 0 && (
          <span class="dim right">{formatCounted(flame.left_out, "call is", "calls are")} too small to be shown</span>
        )}
      </div>
    </>
  );
}
