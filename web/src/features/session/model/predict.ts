// From a throughput or a size of memory that somebody would like to have to a batch size, by the server's table of
// predictions. Nothing is computed here but the lookup: model, band and limits are the server's.
import type { BatchModels, Predictions, SessionResult } from "@protocol/messages";

/** What the models say of one batch size. Intervals hold a new measurement with a chance of about 90 %. */
export interface Outlook {
  readonly batchSize: number;
  readonly perSecond: number;
  readonly low: number;
  readonly high: number;
  readonly peakBytes: number;
  readonly peakLow: number;
  readonly peakHigh: number;
  readonly isExtrapolated: boolean;
  /** Of the predicted highest throughput and of the largest batch. */
  readonly index: number;
}

export type Metric = "throughput" | "memory";

/** Why a bar cannot be dragged: one sentence; empty: it can. */
export function refusal(result: SessionResult, metric: Metric): string {
  if (result.models === undefined) {
    if (!result.is_complete) return "Other batch sizes are still being measured.";
    const failure = result.failures[0];
    if (failure !== undefined) return `No other batch size could be measured: ${failure.sentence}`;
    return "There is no prediction: too few batch sizes were measured. A faster iteration or a larger --budget gives more.";
  }
  const doubt = metric === "throughput" ? result.models.time_doubt : result.models.memory_doubt;
  if (doubt !== "") return doubt;
  if (lastIndex(result.models) < 1) return "There is no other batch size that fits.";
  return "";
}

/** The last row that can be wished for: the largest batch size that fits. */
export function lastIndex({ predictions, largest }: BatchModels): number {
  const sizes = predictions.batch_size;
  if (largest <= 0) return sizes.length - 1;
  return lowerBound(sizes.length, (i) => (sizes[i] ?? 0) > largest) - 1;
}

// The first i from 0 to count for which `isTrue`, which is false up to somewhere and true from there on.
function lowerBound(count: number, isTrue: (i: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isTrue(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * The batch size with this throughput on the branch of the curve that row `from` is on: throughput may rise up to a batch
 * size and fall beyond it, and then has each value twice. What is more than the highest gives that.
 */
export function indexForThroughput(models: BatchModels, perSecond: number, from: number): number {
  const rates = models.predictions.samples_per_second;
  const rate = (i: number): number => rates[i] ?? 0;
  const top = topIndex(models);
  if (from <= top) {
    for (let i = 0; i < top; ++i) if (rate(i) >= perSecond) return i;
  } else {
    for (let i = lastIndex(models); i > top; --i) if (rate(i) >= perSecond) return i;
  }
  return top;
}

function topIndex(models: BatchModels): number {
  const rates = models.predictions.samples_per_second.slice(0, lastIndex(models) + 1);
  return Math.max(0, rates.indexOf(Math.max(...rates)));
}

/** How far throughput falls again beyond the batch size with the most. */
export interface Bend {
  readonly first: number; // batch sizes
  readonly top: number;
  readonly last: number;
  readonly firstRate: number;
  readonly topRate: number;
  readonly lastRate: number;
}

// What falls by less is as good as level.
const leastFall = 0.03;

/** Undefined: a larger batch is never clearly slower. */
export function bendOf(models: BatchModels): Bend | undefined {
  const { batch_size: sizes, samples_per_second: rates } = models.predictions;
  const top = topIndex(models);
  const last = lastIndex(models);
  const [firstRate, topRate, lastRate] = [rates[0] ?? 0, rates[top] ?? 0, rates[last] ?? 0];
  if (lastRate >= topRate * (1 - leastFall)) return undefined;
  return { first: sizes[0] ?? 1, top: sizes[top] ?? 1, last: sizes[last] ?? 1, firstRate, topRate, lastRate };
}

/** The largest batch size whose expected memory is within `bytes`; if none is, the smallest. */
export function indexForMemory(models: BatchModels, bytes: number): number {
  const sizes = models.predictions.peak_bytes;
  const last = lastIndex(models);
  return Math.max(0, lowerBound(last + 1, (i) => (sizes[i] ?? 0) > bytes) - 1);
}

/** The row of a batch size, or of the nearest one that has a prediction. */
export function indexOfBatch(models: BatchModels, batchSize: number): number {
  const sizes = models.predictions.batch_size;
  const after = lowerBound(sizes.length, (i) => (sizes[i] ?? 0) >= batchSize);
  const before = after - 1;
  const isAfterNearer =
    Math.abs((sizes[after] ?? Infinity) - batchSize) <= Math.abs((sizes[before] ?? Infinity) - batchSize);
  return clampIndex(models, isAfterNearer ? after : before);
}

export function clampIndex(models: BatchModels, index: number): number {
  return Math.max(0, Math.min(lastIndex(models), index));
}

export function outlookAt({ predictions }: BatchModels, index: number): Outlook {
  const column = (name: Exclude<keyof Predictions, "is_extrapolated">): number => predictions[name][index] ?? 0;
  return {
    batchSize: column("batch_size"),
    perSecond: column("samples_per_second"),
    low: column("low"),
    high: column("high"),
    peakBytes: column("peak_bytes"),
    peakLow: column("peak_low"),
    peakHigh: column("peak_high"),
    isExtrapolated: predictions.is_extrapolated[index] ?? false,
    index,
  };
}

export function outlookFor(models: BatchModels, batchSize: number): Outlook {
  return outlookAt(models, indexOfBatch(models, batchSize));
}

/** How far a bar reaches, what is now, and from where on predictions are beyond what was measured. */
export interface Scale {
  readonly max: number;
  readonly now: number;
  /** The value of the last batch size that may be wished for. */
  readonly limit: number;
  /** Values above are extrapolated; undefined: none is. */
  readonly measuredTo: number | undefined;
}

export function scaleOf(result: SessionResult, metric: Metric): Scale {
  const models = result.models;
  const now = metric === "throughput" ? result.samples_per_second : result.peak_bytes;
  if (models === undefined) {
    const max = metric === "throughput" || !hasLimit(result) ? now : Math.max(now, result.capacity_bytes);
    return { max: max > 0 ? max : 1, now, limit: now, measuredTo: undefined };
  }
  const { predictions } = models;
  const column = metric === "throughput" ? predictions.samples_per_second : predictions.peak_bytes;
  const last = lastIndex(models);
  let limit = 0;
  let measured = 0;
  for (let i = 0; i <= last; ++i) {
    limit = Math.max(limit, column[i] ?? 0);
    if (predictions.is_extrapolated[i] !== true) measured = Math.max(measured, column[i] ?? 0);
  }
  const end = metric === "throughput" ? Math.max(limit, now) : memoryEnd(result, Math.max(limit, now));
  return { max: end > 0 ? end : 1, now, limit, measuredTo: measured < limit ? measured : undefined };
}

// The bar reaches to what the device has; where predictions end far below that, nobody could hit a pixel of it. Without a
// device the limit is the machine's RAM, which the whole process needs: what torch has allocated is not held against it.
const leastShareOfCapacity = 0.25;

/** Whether what torch allocates and the limit are of the same memory. */
export function hasLimit({ device }: SessionResult): boolean {
  return device !== "cpu";
}

function memoryEnd(result: SessionResult, most: number): number {
  return hasLimit(result) && most >= result.capacity_bytes * leastShareOfCapacity
    ? Math.max(result.capacity_bytes, most)
    : most * 1.1;
}

/** Another row by a key; undefined: the key does not move the bar. */
export function indexForKey(models: BatchModels, from: number, key: string, isShift: boolean): number | undefined {
  const size = models.predictions.batch_size[from] ?? 1;
  const far = Math.max(1, Math.round(size * 0.1));
  const by = (step: number): number => {
    const next = indexOfBatch(models, size + step);
    // Where predictions are sparse a step must still lead on.
    return clampIndex(models, next === from ? from + Math.sign(step) : next);
  };
  switch (key) {
    case "ArrowRight":
    case "ArrowUp":
      return by(isShift ? far : 1);
    case "ArrowLeft":
    case "ArrowDown":
      return by(isShift ? -far : -1);
    case "PageUp":
      return by(far);
    case "PageDown":
      return by(-far);
    case "Home":
      return 0;
    case "End":
      return lastIndex(models);
    default:
      return undefined;
  }
}
