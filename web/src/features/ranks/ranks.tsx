// The ranks of a run, side by side: which one holds the others up, and what it waits for.
import type { Run, RunRank, VerdictPart } from "@protocol/messages";
import { formatCount, formatCounted, formatNs, formatShare, nothing } from "../../base/format";
import { colorOf } from "../../base/roles";
import { go, hrefOf, paramOf, setParams } from "../../base/url_state";
import { chosenTrace } from "../../model/app";
import { Answered } from "../../widgets/answer";
import { Choice } from "../../widgets/choice";
import { tipText } from "../../widgets/tooltip";
import { ordered, partsOf, type RankOrder, useRun } from "./model/run";
import "./ranks.css";

const columns: readonly { readonly title: string; readonly tip: string; readonly isNumber?: boolean }[] = [
  { title: "Rank", tip: "What the trace says which rank it is; else the name of its file" },
  { title: "Host", tip: "The machine that it ran on" },
  { title: "Start", tip: "How long after the earliest rank it began, by the clocks of their machines", isNumber: true },
  { title: "Steps", tip: "Steps in the trace", isNumber: true },
  { title: "Median step", tip: "The duration in the middle of those of its steps", isNumber: true },
  { title: "Where the time goes", tip: "The parts of the judged time, as shares of it" },
  { title: "Waits for", tip: "What its step waits for most of the time" },
  { title: "Dropped", tip: "Events that are missing because data was damaged or cut off", isNumber: true },
];

export function View() {
  const answer = useRun();
  return (
    <Answered answer={answer} phase="Comparing the ranks">
      {(run) => <Shown run={run} />}
    </Answered>
  );
}

function Shown({ run }: { readonly run: Run }) {
  const order: RankOrder = paramOf("by") === "need" ? "need" : "rank";
  return (
    <article class="ranks">
      <div>
        <h1 data-test="run">{run.sentence === "" ? "Nothing to compare yet." : run.sentence}</h1>
        <p class="dim" role="status">
          {run.pending > 0
            ? `${formatCounted(run.pending, "more trace is", "more traces are")} being read …`
            : formatCounted(run.ranks.length, "trace", "traces")}
        </p>
      </div>
      <div class="ranks-bar-line">
        <Legend parts={partsOf(run.ranks)} />
        <Choice
          label="Order"
          value={order}
          options={[
            { value: "rank", title: "By rank" },
            {
              value: "need",
              title: "By need",
              tip: "Whose device computes the smallest share of the time comes first",
            },
          ]}
          onChoose={(by) => setParams({ by: by === "rank" ? "" : by })}
        />
      </div>
      <table>
        <thead>
          <tr>
            {columns.map(({ title, tip, isNumber }) => (
              <th key={title} scope="col" class={isNumber === true ? "is-number" : ""} data-tip={tipText(title, tip)}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ordered(run, order).map((rank) => (
            <Row key={rank.trace} rank={rank} isChosen={rank.trace === chosenTrace.value?.id} />
          ))}
        </tbody>
      </table>
    </article>
  );
}

function Legend({ parts }: { readonly parts: readonly VerdictPart[] }) {
  return (
    <ul class="ranks-legend">
      {parts.map(({ name, definition }) => (
        <li key={name} tabIndex={0} data-tip={tipText(name, definition)}>
          <i style={{ background: colorOf(name) }} aria-hidden="true" />
          {name}
        </li>
      ))}
    </ul>
  );
}

function Row({ rank, isChosen }: { readonly rank: RunRank; readonly isChosen: boolean }) {
  const to = { trace: rank.trace, step: "" };
  return (
    <tr
      class={isChosen ? "is-chosen" : ""}
      aria-current={isChosen ? "true" : undefined}
      data-rank={rank.trace}
      onClick={() => go("overview", to)}
    >
      <th scope="row">
        <a href={hrefOf("overview", to)} data-tip={tipText(rank.name, rank.verdict.sentence)}>
          {rank.rank < 0 ? rank.name : `rank ${rank.rank}`}
        </a>
      </th>
      {rank.is_known ? (
        <Known rank={rank} />
      ) : (
        <td colSpan={columns.length - 1} class={rank.error === "" ? "dim" : "bad"}>
          {rank.error === "" ? "not read yet" : rank.error}
        </td>
      )}
    </tr>
  );
}

function Known({ rank: { host, offset_ns, steps, median_step_ns, verdict, dropped } }: { readonly rank: RunRank }) {
  return (
    <>
      <td>{host === "" ? nothing : host}</td>
      <td class="is-number">{offset_ns === 0 ? formatNs(0) : `+${formatNs(offset_ns)}`}</td>
      <td class="is-number">{formatCount(steps)}</td>
      <td class="is-number">{steps === 0 ? nothing : formatNs(median_step_ns)}</td>
      <td class="ranks-parts">
        <Parts parts={verdict.parts} total={verdict.judged_ns} />
      </td>
      <td>{verdict.waits_for === "unknown" ? nothing : `${verdict.waits_for} ${formatShare(verdict.share)}`}</td>
      <td class={`is-number${dropped > 0 ? " bad" : ""}`}>{formatCount(dropped)}</td>
    </>
  );
}

function Parts({ parts, total }: { readonly parts: readonly VerdictPart[]; readonly total: number }) {
  const shown = parts.filter(({ time_ns }) => time_ns > 0);
  const words = shown.map(({ name, time_ns }) => `${name} ${formatShare(time_ns / total)}`);
  if (total <= 0 || shown.length === 0) return <>{nothing}</>;
  return (
    <div class="ranks-bar" role="img" aria-label={words.join(", ")} data-tip={tipText(formatNs(total), ...words)}>
      {shown.map(({ name, time_ns }) => (
        <div key={name} style={{ flexGrow: time_ns, background: colorOf(name) }}>
          {time_ns / total >= 0.12 && <span>{formatShare(time_ns / total)}</span>}
        </div>
      ))}
    </div>
  );
}
