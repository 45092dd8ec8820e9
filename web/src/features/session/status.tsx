// The line at the bottom: what the session does, how well the number is known, and the saves so far.
import type { SessionResult } from "@protocol/messages";
import { assertUnreachable } from "../../base/result";
import { formatNs } from "../../base/format";
import {
  breakdown,
  cancelProfile,
  dispatch,
  history,
  profileAgain,
  result,
  session,
  shownPath,
  stage,
} from "./model/store";
import { isOfThisSave, type Stage } from "./model/state";
import { formatSpread } from "./model/words";
import { History } from "./history";
import { Output } from "./output";
import { PhaseClock } from "./phase_clock";
import { showLine } from "./session_source";

export function Status() {
  const now = stage.value;
  return (
    <footer class="session-status" aria-live="polite">
      <b class={`session-word is-${now.kind}`}>{wordOf(now)}</b>
      <Doing stage={now} />
      <Quality />
      {session.value.state?.data.has_output === true && <Output />}
      <History history={history.value} shownPath={shownPath} />
    </footer>
  );
}

function wordOf(now: Stage): string {
  switch (now.kind) {
    case "connecting":
      return "Connecting";
    case "gone":
      return "Server gone";
    case "starting":
      return "Starting Python";
    case "profiling":
      return "Profiling";
    case "unsaved":
      return "Unsaved changes";
    case "stale":
      return "Stale";
    case "ready":
      return "Ready";
    case "waiting":
      return "Waiting";
    case "predicted":
      return "Predicted";
    case "applied":
      return "Applied";
    case "error":
      return "Error";
    case "out_of_memory":
      return "Out of memory";
    case "crashed":
      return "Worker ended";
    case "cancelled":
      return "Cancelled";
    default:
      return assertUnreachable(now);
  }
}

function Doing({ stage: now }: { readonly stage: Stage }) {
  switch (now.kind) {
    case "starting":
    case "profiling":
      return (
        <>
          <progress max={1} value={now.fraction} aria-label="Progress" />
          <PhaseClock phase={now.phase} />
          {now.kind === "profiling" && (
            <button type="button" class="plain" onClick={() => void cancelProfile()}>
              Cancel
            </button>
          )}
        </>
      );
    case "gone":
      return <span>start it again; the page connects by itself</span>;
    case "unsaved":
      return <span>save to see new numbers</span>;
    case "stale":
    case "crashed":
    case "cancelled":
    case "out_of_memory":
      return <Again />;
    case "predicted":
      return (
        <button type="button" class="plain" onClick={() => dispatch({ kind: "revert" })}>
          Back to what was measured
        </button>
      );
    case "ready":
      return (
        <>
          <SinceSave />
          <Again />
        </>
      );
    case "connecting":
    case "waiting":
    case "applied":
    case "error":
      return undefined;
    default:
      return assertUnreachable(now);
  }
}

function Again() {
  return (
    <button type="button" class="plain" data-tip="Key R" onClick={() => void profileAgain()}>
      Profile again
    </button>
  );
}

function SinceSave() {
  const { times } = session.value;
  if (times?.first === undefined) return undefined;
  const seconds = (ms: number): string => `${((ms - times.begun) / 1000).toFixed(1)} s`;
  return (
    <span data-tip={times.complete === undefined ? undefined : `Complete after ${seconds(times.complete)}.`}>
      first number {seconds(times.first)} after your save
    </span>
  );
}

function BatchSize({ result: { batch_size, literal } }: { readonly result: SessionResult }) {
  if (literal === undefined) return <>batch {batch_size}</>;
  return (
    <button
      type="button"
      class="plain"
      data-tip={`Show it in ${shownPath(literal.path)}, line ${literal.line}.`}
      onClick={() => showLine(literal)}
    >
      batch {batch_size}
    </button>
  );
}

function Quality() {
  const known = result.value;
  if (known === undefined) return undefined;
  const recorded = breakdown.value;
  const wall = recorded === undefined ? 0 : recorded.end_ns - recorded.start_ns;
  const { median_ns, uncertainty, count } = known.iteration;
  const note = session.value.state?.data.note ?? "";
  return (
    <>
      <span
        data-tip={`Batch size ${known.batch_size} on ${known.device}; the median iteration takes ${formatNs(median_ns)}.`}
      >
        {known.device} · <BatchSize result={known} /> · {formatNs(median_ns)}
      </span>
      {known.compile_ns > 0 && (
        <span data-tip="What torch.compile took before the first iteration; it is not part of any number here.">
          compiled in {formatNs(known.compile_ns)}
        </span>
      )}
      <span
        data-tip={`The median of ${count} iterations lies within ${formatSpread(uncertainty)} with a chance of 95 %.`}
      >
        n = {count}, {formatSpread(uncertainty)}
        {!known.is_timed && " so far"}
      </span>
      {wall > 0 && median_ns > 0 && isOfThisSave(session.value) && (
        <span data-tip="The iteration that was recorded for the columns, against the median of those that were only timed.">
          recorded one {(wall / median_ns).toFixed(2)} ×
        </span>
      )}
      {note !== "" && (
        <span class="session-note" data-tip={note}>
          {note}
        </span>
      )}
    </>
  );
}
