// Throughput over the batch size: what was measured as points, what is predicted as a line with its band, dashed
// beyond the measured sizes; where one is now, what is wished for, and the knee from where on more gives little.
import type { BatchModels, SessionResult } from "@protocol/messages";
import type { ComponentChildren } from "preact";
import { formatBytes, formatPerSecond } from "../../base/format";
import { indexOfBatch, lastIndex, type Outlook, outlookAt } from "./model/predict";
import { placeTicks } from "./model/ticks";
import { formatSpread } from "./model/words";
import "./batch_chart.css";

export interface BatchChartProps {
  readonly result: SessionResult;
  readonly outlook: Outlook | undefined;
  readonly isEnabled: boolean;
  readonly onWish: (batchSize: number) => void;
}

const width = 270;
const height = 128;
const left = 54; // a million, grouped
const right = 12;
const top = 8;
const bottom = 20;

interface Axes {
  readonly x: (batchSize: number) => number;
  readonly y: (rate: number) => number;
  readonly first: number;
  readonly last: number;
  readonly most: number; // of what is drawn
  readonly highest: number; // throughput that is measured or predicted
}

export function BatchChart({ result, outlook: wished, isEnabled, onWish }: BatchChartProps) {
  const { samples, models } = result;
  const trusted = models !== undefined && models.time_doubt === "" ? models : undefined;
  const outlook = trusted === undefined ? undefined : wished;
  const axes = axesOf(result, trusted);
  if (samples.length < 2 && trusted === undefined) {
    return (
      <section class="chart">
        <h2>Throughput by batch size</h2>
        <p class="dim">
          {result.is_complete ? "Only one batch size was measured." : "Other batch sizes are measured after this one."}
        </p>
      </section>
    );
  }
  const pick = (event: PointerEvent): void => {
    if (!isEnabled || trusted === undefined || event.buttons !== 1) return;
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * width;
    const share = (at - left) / (width - left - right);
    const size = Math.round(axes.first * (axes.last / axes.first) ** Math.max(0, Math.min(1, share)));
    onWish(trusted.predictions.batch_size[indexOfBatch(trusted, size)] ?? size);
  };
  return (
    <section class="chart">
      <h2>
        Throughput by batch size <span data-tip="Batch sizes that were run">{samples.length} measured</span>
      </h2>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={summary(result, trusted)}
        class={isEnabled && trusted !== undefined ? "can-pick" : ""}
        onPointerDown={pick}
        onPointerMove={pick}
      >
        <Grid axes={axes} result={result} outlook={outlook} />
        {trusted !== undefined && <Curve axes={axes} models={trusted} />}
        {trusted !== undefined && <Knee axes={axes} models={trusted} />}
        {samples.map((sample) => (
          <circle
            key={sample.batch_size}
            class="chart-point"
            cx={axes.x(sample.batch_size)}
            cy={axes.y(sample.samples_per_second)}
            r="2.6"
          >
            <title>{`Batch ${sample.batch_size}: ${formatPerSecond(sample.samples_per_second)} samples/s ${formatSpread(sample.uncertainty)}, ${formatBytes(sample.peak_bytes)}; measured`}</title>
          </circle>
        ))}
        {result.failures.map(({ batch_size, sentence }) => (
          <path key={batch_size} class="chart-failure" d={cross(axes.x(batch_size), height - bottom - 6)}>
            <title>{`Batch ${batch_size} did not run: ${sentence}`}</title>
          </path>
        ))}
        <circle class="chart-now" cx={axes.x(result.batch_size)} cy={axes.y(result.samples_per_second)} r="5.5" />
        {outlook !== undefined && (
          <>
            <path
              class="chart-wish-line"
              d={`M${axes.x(outlook.batchSize)} ${height - bottom}V${axes.y(outlook.perSecond)}`}
            />
            <circle class="chart-wish" cx={axes.x(outlook.batchSize)} cy={axes.y(outlook.perSecond)} r="3.5" />
          </>
        )}
      </svg>
      <Legend
        measured={samples.length > 0}
        hasCurve={trusted !== undefined}
        isFar={trusted?.predictions.is_extrapolated[lastIndex(trusted)] === true}
        hasFailures={result.failures.length > 0}
        hasWish={outlook !== undefined}
      />
      {models !== undefined && models.time_doubt !== "" && <p class="dim">No curve: the model of time is in doubt.</p>}
    </section>
  );
}

interface LegendProps {
  readonly measured: boolean;
  readonly hasCurve: boolean;
  readonly isFar: boolean; // it goes beyond the sizes that were run
  readonly hasFailures: boolean;
  readonly hasWish: boolean;
}

function Legend({ measured, hasCurve, isFar, hasFailures, hasWish }: LegendProps) {
  return (
    <p class="chart-legend dim">
      {measured && <Sign title="measured" picture={<circle class="chart-point" cx="8" cy="6" r="2.6" />} />}
      <Sign title="now" picture={<circle class="chart-now" cx="8" cy="6" r="4.5" />} />
      {hasWish && <Sign title="wished" picture={<circle class="chart-wish" cx="8" cy="6" r="3.5" />} />}
      {hasCurve && (
        <Sign
          title="predicted, and its band"
          picture={
            <>
              <path class="chart-band" d="M0 1H16V11H0Z" />
              <path class="chart-line" d="M0 6H16" />
            </>
          }
        />
      )}
      {hasCurve && isFar && (
        <Sign title="beyond what was run" picture={<path class="chart-line is-far" d="M0 6H16" />} />
      )}
      {hasFailures && <Sign title="did not run" picture={<path class="chart-failure" d={cross(8, 6)} />} />}
    </p>
  );
}

function Sign({ title, picture }: { readonly title: string; readonly picture: ComponentChildren }) {
  return (
    <span>
      <svg class="chart-sign" width="16" height="12" aria-hidden="true">
        {picture}
      </svg>
      {title}
    </span>
  );
}

function cross(x: number, y: number): string {
  return `M${x - 3} ${y - 3}l6 6m0 -6l-6 6`;
}

function summary(result: SessionResult, models: BatchModels | undefined): string {
  const points = result.samples.map((s) => `${s.batch_size}: ${formatPerSecond(s.samples_per_second)}`).join(", ");
  const knee = models === undefined ? "" : ` 90 % of the highest throughput is reached at ${models.knee}.`;
  return `Samples per second by batch size. ${points}.${knee}`;
}

function axesOf(
  { samples, failures, batch_size, samples_per_second }: SessionResult,
  models: BatchModels | undefined,
): Axes {
  const sizes = [...samples, ...failures].map((sample) => sample.batch_size).concat(batch_size);
  const rates = samples.map((sample) => sample.samples_per_second).concat(samples_per_second);
  const end = models === undefined ? undefined : lastIndex(models);
  const first = Math.max(1, Math.min(...sizes));
  const last = Math.max(...sizes, end === undefined ? 1 : (models?.predictions.batch_size[end] ?? 1), first + 1);
  // The band may be as wide as it likes, but the curve keeps its room.
  const expected = models?.predictions.samples_per_second.slice(0, (end ?? 0) + 1) ?? [];
  const highest = Math.max(...rates, ...expected, 1e-9);
  const most = highest * 1.2;
  const span = Math.log(last / first);
  return {
    first,
    last,
    most,
    highest,
    x: (size) => left + (Math.log(Math.max(size, first) / first) / span) * (width - left - right),
    y: (rate) => height - bottom - (Math.min(rate, most) / most) * (height - top - bottom),
  };
}

function Grid({
  axes,
  result,
  outlook,
}: {
  readonly axes: Axes;
  readonly result: SessionResult;
  readonly outlook: Outlook | undefined;
}) {
  const wished = outlook?.batchSize;
  const sizes = [wished, result.batch_size, axes.last, ...powersOfTwo(axes.first, axes.last)];
  const ticks = placeTicks(
    sizes.filter((size) => size !== undefined),
    axes.x,
    left - 8,
    width,
  );
  return (
    <g>
      <path class="chart-axis" d={`M${left} ${top}V${height - bottom}H${width - right}`} />
      <path class="chart-axis" d={`M${left - 3} ${axes.y(axes.highest)}H${width - right}`} />
      <text x={left - 6} y={axes.y(axes.highest) + 4} text-anchor="end">
        {formatPerSecond(axes.highest)}
      </text>
      <text x={left - 6} y={height - bottom} text-anchor="end">
        0
      </text>
      {ticks.map(({ value: size, at }) => (
        <text
          key={size}
          class={size === wished ? "is-wish" : size === result.batch_size ? "is-now" : ""}
          x={at}
          y={height - 6}
          text-anchor="middle"
        >
          {size}
        </text>
      ))}
    </g>
  );
}

function powersOfTwo(first: number, last: number): number[] {
  const powers: number[] = [];
  for (let size = 1; size <= last; size *= 2) if (size >= first) powers.push(size);
  return powers;
}

function Curve({ axes, models }: { readonly axes: Axes; readonly models: BatchModels }) {
  const { predictions } = models;
  const rows = predictions.batch_size
    .map((_, i) => i)
    .filter((i) => i <= lastIndex(models) && (predictions.batch_size[i] ?? 0) >= axes.first);
  const point = (i: number, column: "samples_per_second" | "low" | "high"): string =>
    `${axes.x(predictions.batch_size[i] ?? 1).toFixed(1)} ${axes.y(predictions[column][i] ?? 0).toFixed(1)}`;
  const path = (of: readonly number[]): string =>
    of.length < 2 ? "" : `M${of.map((i) => point(i, "samples_per_second")).join("L")}`;
  const near = rows.filter((i) => predictions.is_extrapolated[i] !== true);
  const far = rows.filter((i) => i >= (near.at(-1) ?? 0));
  return (
    <g>
      <path
        class="chart-band"
        d={`M${rows.map((i) => point(i, "high")).join("L")}L${[...rows]
          .reverse()
          .map((i) => point(i, "low"))
          .join("L")}Z`}
      />
      <path class="chart-line" d={path(near)} />
      <path class="chart-line is-far" d={path(far)}>
        <title>Beyond the batch sizes that were measured</title>
      </path>
    </g>
  );
}

function Knee({ axes, models }: { readonly axes: Axes; readonly models: BatchModels }) {
  const at = outlookAt(models, indexOfBatch(models, models.knee));
  const x = axes.x(models.knee);
  // Just above the axis: at the knee the curve is near its top.
  const fits = x + 60 < width;
  return (
    <g class="chart-knee">
      <title>{`From batch ${models.knee} on, a larger one gives at most a tenth more throughput.`}</title>
      <path d={`M${x} ${axes.y(at.perSecond) + 4}V${height - bottom}`} />
      <text x={fits ? x + 4 : x - 4} y={height - bottom - 5} text-anchor={fits ? "start" : "end"}>
        knee {models.knee}
      </text>
    </g>
  );
}
