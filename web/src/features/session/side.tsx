// Throughput and peak memory, which can be dragged, and throughput by batch size.
import type { SessionResult } from "@protocol/messages";
import { focusOfLiteral } from "../../model/breakdown/pointing";
import { applyWish, dispatch, focus, outlook, refused, result, session, shownPath } from "./model/store";
import { canPredict } from "./model/state";
import { BatchChart } from "./batch_chart";
import { MetricBar } from "./metric_bar";

export function Side({ isOutdated }: { readonly isOutdated: boolean }) {
  const known = result.value;
  if (known === undefined) return <div class="session-side" />;
  const isEnabled = canPredict(session.value) && session.value.wish?.isApplied !== true;
  const bar = {
    result: known,
    outlook: outlook.value,
    isEnabled,
    onWish: (batchSize: number) => dispatch({ kind: "wish", batchSize }),
  };
  return (
    <div class={`session-side${isOutdated ? " is-outdated" : ""}`}>
      <div
        onPointerEnter={() => (focus.value = known.literal && focusOfLiteral(known.literal))}
        onPointerLeave={() => (focus.value = undefined)}
      >
        <MetricBar metric="throughput" {...bar} />
        <MetricBar metric="memory" {...bar} />
      </div>
      <BatchChart {...bar} />
      <Actions result={known} />
    </div>
  );
}

function Actions({ result: known }: { readonly result: SessionResult }) {
  const { wish } = session.value;
  if (wish === undefined) return <p class="session-actions dim">{refused.value}</p>;
  if (wish.isApplied) return <p class="session-actions dim">{wish.batchSize} is in the file; the save is profiled.</p>;
  const literal = known.literal;
  return (
    <div class="session-actions">
      <button type="button" class="plain dim" onClick={() => dispatch({ kind: "revert" })}>
        Esc returns to {known.batch_size}
      </button>
      {literal === undefined ? (
        <span class="dim">{known.no_literal}</span>
      ) : (
        <button
          type="button"
          class="session-apply"
          data-tip={`Writes ${wish.batchSize} into ${shownPath(literal.path)}, line ${literal.line}; the save is then profiled.`}
          onClick={() => void applyWish()}
        >
          Apply {wish.batchSize} to the file ⏎
        </button>
      )}
      {refused.value !== "" && <p class="bad">{refused.value}</p>}
    </div>
  );
}
