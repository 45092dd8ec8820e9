// The first thing to read of a trace: what its steps wait for, the whole as one bar, what is wrong with the data, and
// every named figure with its definition.
import type { HealthItem, Loss, Overview, TraceSummary } from "@protocol/messages";
import { formatCount, formatCounted, formatNs } from "../../base/format";
import { go } from "../../base/url_state";
import { useAnswer } from "../../model/answers";
import { chosenStep } from "../../model/app";
import type { TraceViewProps } from "../../model/view_def";
import { Answered } from "../../widgets/answer";
import { Figures } from "./figures";
import { StackedBar } from "../../widgets/stacked_bar";
import { StepBars } from "./step_bars";
import { timelineAt } from "../../model/timeline_link";
import "./overview.css";

export function View({ trace }: TraceViewProps) {
  const answer = useAnswer("overview", { trace: trace.id });
  return (
    <Answered answer={answer} phase="Computing the figures of this trace">
      {(overview) => <Shown overview={{ ...overview, trace }} />}
    </Answered>
  );
}

function Shown({ overview }: { readonly overview: Overview }) {
  const { verdict, steps, figures, trace } = overview;
  return (
    <article class="overview">
      <div class="overview-say">
        <h1 data-test="verdict">{verdict.sentence}</h1>
        <p class="dim">{aboutTrace(trace)}</p>
      </div>
      {verdict.parts.length > 0 && verdict.judged_ns > 0 && (
        <section>
          <h2>
            Where the time goes{" "}
            <span>
              {formatNs(verdict.judged_ns)}
              {steps.length > 0 ? ` in ${formatCounted(steps.length, "step", "steps")}` : ""}
            </span>
          </h2>
          <StackedBar
            label="Where the time goes"
            total={verdict.judged_ns}
            format={formatNs}
            parts={verdict.parts.map(({ name, definition, time_ns }) => ({ name, definition, value: time_ns }))}
          />
        </section>
      )}
      <div class="overview-pair">
        <section>
          <h2>Steps</h2>
          {steps.length > 0 ? (
            <StepBars
              steps={steps}
              chosen={chosenStep.value}
              onChoose={({ number, start_ns, end_ns }) =>
                go("timeline", { step: String(number), ...timelineAt(trace, start_ns, end_ns) })
              }
            />
          ) : (
            <p class="dim">
              No steps were found. Record with <code>skyline run</code>, or call <code>prof.step()</code> once per
              iteration with torch.profiler.
            </p>
          )}
        </section>
        <section>
          <h2>Can the figures be trusted?</h2>
          <Health health={overview.health} losses={overview.losses} />
        </section>
      </div>
      <section>
        <h2>Figures</h2>
        <Figures figures={figures} hasDevice={trace.has_device} />
      </section>
      <section>
        <h2>What the trace says of itself</h2>
        <Facts overview={overview} />
      </section>
    </article>
  );
}

function aboutTrace({ name, producer, devices, events, duration_ns, host_name }: TraceSummary): string {
  const device = devices.length === 0 ? "no device" : counted(devices).join(", ");
  const parts = [name, producer, device, `${formatCounted(events, "event", "events")} in ${formatNs(duration_ns)}`];
  return [...parts, host_name].filter((part) => part !== "").join(" · ");
}

/** ["A100", "A100"] → ["2 × A100"] */
function counted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].map((name) => {
    const count = names.filter((each) => each === name).length;
    return count > 1 ? `${count} × ${name}` : name;
  });
}

function Health({ health, losses }: { readonly health: readonly HealthItem[]; readonly losses: readonly Loss[] }) {
  const open = health.filter(({ level }) => level !== "fine");
  const fine = health.length - open.length;
  return (
    <>
      <ul class="overview-health">
        {open.map(({ name, level, sentence, cure }) => (
          <li key={name} data-health={name}>
            <b class={level === "wrong" ? "bad" : "note"}>{level === "wrong" ? "Wrong" : "Note"}</b>
            <span>
              {sentence} {cure !== "" && <span class="dim">{cure}</span>}
            </span>
          </li>
        ))}
        {losses.map(({ name, count, sentence }) => (
          <li key={name} data-loss={name}>
            <b class="note">Lost</b>
            <span>
              {formatCount(count)} × {sentence}
            </span>
          </li>
        ))}
      </ul>
      <p class="dim">
        {open.length === 0 && <b class="good">Yes. </b>}
        {fine > 0 && `${formatCounted(fine, "check", "checks")} found nothing wrong. `}
        {losses.length === 0 && "Nothing was lost on reading."}
      </p>
    </>
  );
}

function Facts({ overview: { trace, facts } }: { readonly overview: Overview }) {
  const rows: readonly (readonly [string, string])[] = [
    ["format", trace.format],
    ["rank", trace.rank < 0 ? "" : `${trace.rank}${trace.world_size > 0 ? ` of ${trace.world_size}` : ""}`],
    ["recorded", recorded(trace)],
    ...facts.map(({ name, value }) => [name, value] as const),
  ];
  return (
    <dl class="overview-facts">
      {rows
        .filter(([, value]) => value !== "")
        .map(([name, value]) => (
          <>
            <dt class="dim">{name}</dt>
            <dd title={value}>{value}</dd>
          </>
        ))}
    </dl>
  );
}

function recorded(trace: TraceSummary): string {
  const kinds: readonly (readonly [boolean, string])[] = [
    [trace.has_device, "device"],
    [trace.has_memory, "memory"],
    [trace.has_stacks, "Python stacks"],
    [trace.has_modules, "modules"],
    [trace.has_sources, "sources"],
  ];
  const list = (has: boolean): string =>
    kinds
      .filter(([is]) => is === has)
      .map(([, word]) => word)
      .join(", ");
  const missing = list(false);
  return `operators${list(true) === "" ? "" : `, ${list(true)}`}${missing === "" ? "" : `; not: ${missing}`}`;
}
