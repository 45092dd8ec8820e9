// A bar that shows a figure and can be dragged to another one: the batch size that would give it is looked up in the
// server's predictions while the finger moves. Where these are not to be relied upon, the bar says so and stands still.
import type { SessionResult } from "@protocol/messages";
import { useRef, useState } from "preact/hooks";
import { formatBytes, formatPerSecond } from "../../base/format";
import {
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
      <p class="metric-ends dim">
        <span data-tip={isTime ? spreadTitle(result) : `Resident in RAM: ${formatBytes(result.resident_bytes)}`}>
          now {isTime ? formatPerSecond(result.samples_per_second) : formatBytes(result.peak_bytes)}
          {isTime && ` ${formatSpread(result.iteration.uncertainty)}`}
        </span>
        <End metric={metric} result={result} />
      </p>
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
      <span class="dim" data-tip={`What may be used: ${result.capacity_source}.`}>
        {unit}
        {outlook === undefined
          ? ` of ${formatBytes(result.capacity_bytes)}`
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
        max {formatPerSecond(models.best_samples_per_second)}
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

function Track({ metric, result, outlook, isEnabled, onWish }: MetricBarProps) {
  const track = useRef<HTMLDivElement>(null);
  const [isDragging, setDragging] = useState(false);
  const scale = scaleOf(result, metric);
  const percent = (value: number): string => `${Math.max(0, Math.min(1, value / scale.max)) * 100}%`;
  const isTime = metric === "throughput";
  const wanted = outlook === undefined ? undefined : isTime ? outlook.perSecond : outlook.peakBytes;
  const [low, high] =
    outlook === undefined ? [0, 0] : isTime ? [outlook.low, outlook.high] : [outlook.peakLow, outlook.peakHigh];
  const models = result.models;

  const wishAt = (clientX: number): void => {
    const box = track.current?.getBoundingClientRect();
    if (box === undefined || models === undefined || box.width === 0) return;
    const value = ((clientX - box.left) / box.width) * scale.max;
    const index = isTime ? indexForThroughput(models, value) : indexForMemory(models, value);
    onWish(models.predictions.batch_size[index] ?? result.batch_size);
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
      class={`metric-track${isDragging ? " is-dragging" : ""}`}
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
        wishAt(event.clientX);
      }}
      onPointerMove={(event) => isDragging && wishAt(event.clientX)}
      onPointerUp={() => setDragging(false)}
      onPointerCancel={() => setDragging(false)}
      onLostPointerCapture={() => setDragging(false)}
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
    </div>
  );
}
