// The steps of a trace as small bars, so that one that is unlike the others is seen at once.
import type { Step } from "@protocol/messages";
import { formatCount, formatNs } from "../../base/format";
import { tipText } from "../../widgets/tooltip";
import "./step_bars.css";

const mostBars = 200; // more would be thinner than a pixel or two

interface StepBarsProps {
  readonly steps: readonly Step[];
  readonly chosen: number | undefined;
  readonly onChoose: (step: Step) => void;
}

interface Bar {
  readonly step: Step; // the longest of those it stands for
  readonly count: number;
}

const durationOf = ({ start_ns, end_ns }: Step): number => end_ns - start_ns;

/** At most `most` bars; where several steps share one, it is as long as the longest of them. */
export function barsOf(steps: readonly Step[], most: number): readonly Bar[] {
  const perBar = Math.ceil(steps.length / most);
  const bars: Bar[] = [];
  for (let at = 0; at < steps.length; at += perBar) {
    const group = steps.slice(at, at + perBar);
    const longest = group.reduce((best, step) => (durationOf(step) > durationOf(best) ? step : best));
    bars.push({ step: longest, count: group.length });
  }
  return bars;
}

export function medianNs(steps: readonly Step[]): number {
  const sorted = steps.map(durationOf).sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : Math.round(((sorted[middle - 1] ?? 0) + upper) / 2);
}

export function StepBars({ steps, chosen, onChoose }: StepBarsProps) {
  const longest = Math.max(...steps.map(durationOf), 1);
  const median = medianNs(steps);
  return (
    <figure class="step-bars" aria-label="Steps">
      <div class="step-bars-row">
        <hr style={{ bottom: `${(median / longest) * 100}%` }} data-tip={`Median: ${formatNs(median)}`} />
        {barsOf(steps, mostBars).map(({ step, count }) => (
          <button
            key={step.number}
            type="button"
            aria-label={`Step ${step.number}, ${formatNs(durationOf(step))}`}
            aria-pressed={step.number === chosen}
            data-tip={tipText(
              `Step ${step.number}: ${formatNs(durationOf(step))}`,
              count > 1 ? `The longest of ${formatCount(count)} steps that share this bar` : undefined,
              "Click to see it in the timeline",
            )}
            onClick={() => onChoose(step)}
          >
            <i style={{ height: `${(durationOf(step) / longest) * 100}%` }} />
          </button>
        ))}
      </div>
      <figcaption class="dim">
        <span>{steps.length > 1 ? `${steps[0]?.number} to ${steps.at(-1)?.number}` : `step ${steps[0]?.number}`}</span>
        <span>
          median {formatNs(median)}, longest {formatNs(longest)}
        </span>
      </figcaption>
    </figure>
  );
}
