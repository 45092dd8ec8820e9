// A bar that shows a figure and can be dragged to another one: the batch size that would give it is looked up in the
// server's predictions while the finger moves. Where these are not to be relied upon, the bar says so and stands still.
import type { SessionResult } from "@protocol/messages";
import { useRef, useState } from "preact/hooks";
import { formatBytes, formatPerSecond } from "../../base/format";
import {
  type Bend,
  bendOf,
  hasLimit,
  indexForKey,
  indexForMemory,
  indexForThroughput,
  indexOfBatch,
  lastIndex,
  type Metric,
  type Outlook,
  refusal,
  scaleOf,
} from "./model/predict";
import { bandOf, formatSpread, valueText } from "./model/words";
import "./metric_bar.css";

export interface MetricBarProps {
  readonly metric: Metric;
  readonly result: SessionResult;
  readonly outlook: Outlook | undefined;
  readonly isEnabled: boolean; // false: what is shown is not of the files as they are
  readonly onWish: (batchSize: number) => void;
}

const titles: Readonly<Record<Metric, string>> = { throughput: "Throughput", memory: "Peak memory" };
const definitions: Readonly<Record<Metric, string>> = {
  throughput:
    "Samples per second: the batch size by the median time of an iteration. The bar ends at the highest predicted one.",
  memory: "The most bytes that live in torch's allocator at one moment of an iteration.",
};

export function MetricBar({ metric, result, outlook: wished, isEnabled, onWish }: MetricBarProps) {
  const why = refusal(result, metric);
  const outlook = why === "" ? wished : undefined; // the other bar may have been dragged
  const isSaidAbove = metric === "memory" && why === refusal(result, "throughput");
  const isTime = metric === "throughput";
  return (
    <section class="metric" data-metric={metric} data-can-drag={isEnabled && why === ""}>
      <h2 data-tip={definitions[metric]}>{titles[metric]}</h2>
      <Figure metric={metric} result={result} outlook={outlook} />
      <Track metric={metric} result={result} outlook={outlook} isEnabled={isEnabled && why === ""} onWish={onWish} />
      {isTime ? (
        <p class="metric-ends dim">
          <span data-tip={spreadTitle(result)}>
            now {formatPerSecond(result.samples_per_second)} {formatSpread(result.iteration.uncertainty)}
          </span>
          <End metric={metric} result={result} />
        </p>
      ) : (
        <MemoryScale result={result} isEnabled={isEnabled && why === ""} />
      )}
      {why !== "" && !isSaidAbove && (
        <p class="metric-why dim" role="note">
          {why}
        </p>
      )}
    </section>
  );
}

function spreadTitle({ iteration }: SessionResult): string {
  return `Measured over ${iteration.count} iterations; the true median lies within ${formatSpread(iteration.uncertainty)} with a chance of 95 %.`;
}

// What the bar's ends are, what its marks mean, and the other memory, which has a limit of its own.
function MemoryScale({ result, isEnabled }: { readonly result: SessionResult; readonly isEnabled: boolean }) {
  const scale = scaleOf(result, "memory");
  const isFar = isEnabled && scale.measuredTo !== undefined;
  return (
    <>
      <p class="metric-ends dim">
        <span>0</span>
        <End metric="memory" result={result} />
        <span data-tip="Where the bar ends">{formatBytes(scale.max)}</span>
      </p>
      <p class="metric-legend dim">
        <span>
          <i class="is-have" /> now
        </span>
        {isFar && (
          <span>
            <i class="is-far" /> beyond the sizes that were run
          </span>
        )}
        {isEnabled && scale.limit < scale.max * 0.995 && (
          <span>
            <i class="is-over" /> {result.models?.largest_is_reached === true ? "does not fit" : "not predicted"}
          </span>
        )}
      </p>
      {!hasLimit(result) && result.resident_bytes > 0 && (
        <p
          class="dim"
          data-tip="The whole process in RAM: Python, torch's code, and what its allocator keeps. It is this, not what tensors take, that RAM limits."
        >
          process resident {formatBytes(result.resident_bytes)} of {formatBytes(result.capacity_bytes)}
        </p>
      )}
    </>
  );
}

// Throughput that falls again has each value twice: the upper line is what a larger batch gains, the lower what it loses.
function BentCurve({ bend, at, percent }: BentCurveProps) {
  const isFalling = at > bend.top;
  const right = `calc(100% - ${percent(bend.topRate)})`;
  return (
    <div
      class="metric-bend"
      role="img"
      aria-label={`Throughput rises to batch ${bend.top} and falls beyond it.`}
      data-tip={`Throughput rises up to batch ${bend.top} and falls beyond it. The handle stays on the branch that it is on; keys and the picture below lead to the other.`}
    >
      <i class={isFalling ? "" : "is-on"} style={{ left: percent(bend.firstRate), right }} />
      <i class={`is-back${isFalling ? " is-on" : ""}`} style={{ left: percent(bend.lastRate), right }} />
    </div>
  );
}

interface BentCurveProps {
  readonly bend: Bend;
  readonly at: number; // batch size
  readonly percent: (rate: number) => string;
}

function Figure({ metric, result, outlook }: Pick<MetricBarProps, "metric" | "result" | "outlook">) {
  const isTime = metric === "throughput";
  const how = outlook?.isExtrapolated === true ? "extrapolated" : "predicted";
  if (isTime) {
    const value = outlook?.perSecond ?? result.samples_per_second;
    return (
      <p class="metric-figure">
        <b>{formatPerSecond(value)}</b>{" "}
        <span class="dim">
          samples/s
          {outlook === undefined &&
            result.tokens_per_second > 0 &&
            ` · ${formatPerSecond(result.tokens_per_second)} tokens/s`}
          {outlook !== undefined && ` ${how} ${formatSpread(bandOf(outlook.low, outlook.perSecond, outlook.high))}`}
        </span>
      </p>
    );
  }
  const [amount = "", unit = ""] = formatBytes(outlook?.peakBytes ?? result.peak_bytes).split("\u00a0");
  return (
    <p class="metric-figure">
      <b>{amount}</b>{" "}
      <span class="dim" data-tip={hasLimit(result) ? `What may be used: ${result.capacity_source}.` : undefined}>
        {unit}
        {outlook === undefined
          ? hasLimit(result)
            ? ` of ${formatBytes(result.capacity_bytes)}`
            : " allocated by tensors"
          : ` ${how} ${formatSpread(bandOf(outlook.peakLow, outlook.peakBytes, outlook.peakHigh))}`}
      </span>
    </p>
  );
}

function End({ metric, result }: Pick<MetricBarProps, "metric" | "result">) {
  const models = result.models;
  if (models === undefined) return <span />;
  if (metric === "throughput") {
    if (models.time_doubt !== "") return <span />;
    return (
      <span data-tip={`The highest predicted throughput, at batch ${models.best}.`}>
        max {formatPerSecond(models.best_samples_per_second)} at {models.best}
      </span>
    );
  }
  if (models.memory_doubt !== "") return <span />;
  if (models.largest_doubt !== "") {
    return <span data-tip={models.largest_doubt}>batch {models.largest} or so fits</span>;
  }
  const how = models.largest_is_verified
    ? "It was run."
    : "It is predicted to fit even at the high end of its interval.";
  return (
    <span
      data-tip={
        models.largest_is_reached
          ? `One more would be too much. ${how}`
          : `Predictions go no further; larger ones may fit as well. ${how}`
      }
    >
      {models.largest_is_reached ? "largest batch " : "batch "}
      {models.largest}
      {models.largest_is_reached ? "" : " and more fit"}
    </span>
  );
}

/** How a finger holds the bar. */
interface Hold {
  readonly x: number; // where it was pressed
  readonly offset: number; // from there to the grip
  readonly from: number; // the row that was shown then
  readonly isMoved: boolean;
}

const gripReach = 10; // px
const leastMove = 3;

function Track({ metric, result, outlook, isEnabled, onWish }: MetricBarProps) {
  const track = useRef<HTMLDivElement>(null);
  const [isDragging, setDragging] = useState(false);
  const hold = useRef<Hold | undefined>(undefined);
  const scale = scaleOf(result, metric);
  const percent = (value: number): string => `${Math.max(0, Math.min(1, value / scale.max)) * 100}%`;
  const isTime = metric === "throughput";
  const wanted = outlook === undefined ? undefined : isTime ? outlook.perSecond : outlook.peakBytes;
  const [low, high] =
    outlook === undefined ? [0, 0] : isTime ? [outlook.low, outlook.high] : [outlook.peakLow, outlook.peakHigh];
  const models = result.models;

  const bend = isTime && isEnabled && models !== undefined ? bendOf(models) : undefined;

  const wishAt = (clientX: number): void => {
    const box = track.current?.getBoundingClientRect();
    const held = hold.current;
    if (box === undefined || models === undefined || held === undefined || box.width === 0) return;
    if (!held.isMoved && Math.abs(clientX - held.x) < leastMove) return;
    hold.current = { ...held, isMoved: true };
    const value = ((clientX + held.offset - box.left) / box.width) * scale.max;
    const index = isTime ? indexForThroughput(models, value, held.from) : indexForMemory(models, value);
    onWish(models.predictions.batch_size[index] ?? result.batch_size);
  };
  // Who presses the grip holds it where it is: nothing changes before it is moved. Elsewhere the grip comes at once.
  const press = (clientX: number): void => {
    const box = track.current?.getBoundingClientRect();
    if (box === undefined || models === undefined) return;
    const grip = box.left + Math.max(0, Math.min(1, (wanted ?? scale.now) / scale.max)) * box.width;
    const isOnGrip = Math.abs(clientX - grip) <= gripReach;
    const from = outlook?.index ?? indexOfBatch(models, result.batch_size);
    hold.current = { x: clientX, offset: isOnGrip ? grip - clientX : 0, from, isMoved: !isOnGrip };
    wishAt(clientX);
  };
  const letGo = (): void => {
    hold.current = undefined;
    setDragging(false);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isEnabled || models === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const from = outlook?.index ?? indexOfBatch(models, result.batch_size);
    const index = indexForKey(models, from, event.key, event.shiftKey);
    if (index === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onWish(models.predictions.batch_size[index] ?? result.batch_size);
  };

  return (
    <div
      class={`metric-track${isDragging ? " is-dragging" : ""}${bend === undefined ? "" : " is-bent"}`}
      ref={track}
      role="slider"
      tabIndex={isEnabled ? 0 : -1}
      aria-label={`${titles[metric]}: drag to another batch size`}
      aria-disabled={!isEnabled}
      aria-valuemin={models?.predictions.batch_size[0] ?? 1}
      aria-valuemax={
        models === undefined
          ? result.batch_size
          : (models.predictions.batch_size[lastIndex(models)] ?? result.batch_size)
      }
      aria-valuenow={outlook?.batchSize ?? result.batch_size}
      aria-valuetext={valueText(result, outlook)}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (!isEnabled || event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        event.currentTarget.focus({ preventScroll: true });
        event.preventDefault();
        setDragging(true);
        press(event.clientX);
      }}
      onPointerMove={(event) => wishAt(event.clientX)}
      onPointerUp={letGo}
      onPointerCancel={letGo}
      onLostPointerCapture={letGo}
    >
      <div class="metric-ground">
        {isEnabled && scale.measuredTo !== undefined && (
          <div
            class="metric-far"
            data-tip="Beyond the batch sizes that were measured"
            style={{ left: percent(scale.measuredTo), right: `calc(100% - ${percent(scale.limit)})` }}
          />
        )}
        {isEnabled && scale.limit < scale.max * 0.995 && (
          <div
            class="metric-over"
            data-tip={
              isTime
                ? "More than is predicted for any batch size"
                : "Larger batch sizes are not predicted, or do not fit"
            }
            style={{ left: percent(scale.limit) }}
          />
        )}
        <div class="metric-have" style={{ width: percent(Math.min(scale.now, wanted ?? scale.now)) }} />
        {wanted !== undefined && (
          <div
            class={`metric-want${wanted < scale.now ? " is-less" : ""}`}
            style={{ left: percent(Math.min(scale.now, wanted)), width: percent(Math.abs(wanted - scale.now)) }}
          />
        )}
      </div>
      {wanted !== undefined && (
        <div
          class={`metric-band${outlook?.isExtrapolated === true ? " is-far" : ""}`}
          style={{ left: percent(low), width: percent(Math.min(high, scale.max) - low) }}
        />
      )}
      {isEnabled && <div class="metric-grip" style={{ left: percent(wanted ?? scale.now) }} />}
      {bend !== undefined && <BentCurve bend={bend} at={outlook?.batchSize ?? result.batch_size} percent={percent} />}
    </div>
  );
}
