// Memory over time: the band of what was allocated, what the allocator holds, the steps, and the peak. Wraps uPlot.
import type { MemoryCurve, Step } from "@protocol/messages";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { formatBytes, formatNs } from "../../../base/format";

export interface MemoryPoint {
  readonly time_ns: number;
  readonly low_bytes: number;
  readonly high_bytes: number;
  readonly reserved_bytes: number | undefined;
}

export interface MemoryChartOptions {
  readonly curve: MemoryCurve;
  readonly steps: readonly Step[];
  readonly listed_ns: number | undefined; // the moment of which the page tells what was alive
  readonly onPoint: (point: MemoryPoint | undefined) => void;
  /** A stretch was dragged over. */
  readonly onSelect: (start_ns: number, end_ns: number) => void;
}

// Bytes are counted in powers of two, so the axis is too.
const byteSteps: number[] = Array.from({ length: 60 }, (_, power) => 2 ** power);
const height = 230;
const labelRoom = 56; // pixels that a step's number needs

export class MemoryChart {
  private readonly plot: uPlot;
  private readonly curve: MemoryCurve;

  constructor(parent: HTMLElement, options: MemoryChartOptions) {
    this.curve = options.curve;
    const color = (name: string): string => getComputedStyle(parent).getPropertyValue(`--${name}`).trim();
    this.plot = new uPlot(plotOptions(parent, options, color), dataOf(options.curve), parent);
  }

  resize(width: number): void {
    this.plot.setSize({ width, height });
  }

  /** Moves the cursor by keyboard; by points of the curve. */
  moveCursor(by: number): void {
    const last = this.curve.time_ns.length - 1;
    const index = Math.max(0, Math.min(last, (this.plot.cursor.idx ?? 0) + by));
    const left = this.plot.valToPos(this.curve.time_ns[index] ?? 0, "x");
    this.plot.setCursor({ left, top: height / 2 });
  }

  destroy(): void {
    this.plot.destroy();
  }
}

/** The CPU's allocator reserves nothing. */
export function hasReserved({ reserved_bytes }: MemoryCurve): boolean {
  return reserved_bytes.some((bytes) => bytes > 0);
}

function dataOf(curve: MemoryCurve): uPlot.AlignedData {
  const { time_ns, low_bytes, high_bytes, reserved_bytes } = curve;
  const columns = [time_ns, high_bytes, low_bytes, ...(hasReserved(curve) ? [reserved_bytes] : [])];
  return columns.map((column) => [...column]) as unknown as uPlot.AlignedData;
}

function plotOptions(
  parent: HTMLElement,
  { curve, steps, listed_ns, onPoint, onSelect }: MemoryChartOptions,
  color: (name: string) => string,
): uPlot.Options {
  const axis = {
    stroke: color("dim"),
    font: `${color("size-small")} ${getComputedStyle(parent).fontFamily}`,
    grid: { stroke: color("line"), width: 1 },
    ticks: { show: false },
  };
  const stepped = uPlot.paths.stepped?.({ align: 1 });
  return {
    width: parent.clientWidth,
    height,
    padding: [22, 30, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: true, y: false, setScale: false }, points: { show: false } },
    scales: {
      x: { time: false, range: () => [curve.start_ns, Math.max(curve.end_ns, curve.start_ns + 1)] },
      y: { range: (_, __, most) => [0, Math.max(most * 1.06, 1)] },
    },
    axes: [
      { ...axis, values: (_, values) => values.map(formatNs), space: 90, size: 30 },
      { ...axis, values: (_, values) => values.map(formatBytes), incrs: byteSteps, size: 84 },
    ],
    series: [
      {},
      { label: "allocated", stroke: color("accent"), width: 1.5, paths: stepped, points: { show: false } },
      {
        label: "lowest",
        stroke: "transparent",
        fill: `${color("compute")}38`,
        paths: stepped,
        points: { show: false },
      },
      ...(hasReserved(curve)
        ? [{ label: "reserved", stroke: color("dim"), width: 1, dash: [4, 4], paths: stepped, points: { show: false } }]
        : []),
    ],
    bands: [{ series: [1, 2], fill: `${color("compute")}80` }],
    hooks: {
      drawAxes: [(plot) => drawSteps(plot, steps, color)],
      draw: [(plot) => drawListed(plot, listed_ns, color), (plot) => drawPeak(plot, curve, color)],
      setCursor: [(plot) => onPoint(pointAt(curve, plot.cursor.idx))],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          if (width < 3) return;
          const at = (x: number): number => Math.round(plot.posToVal(x, "x"));
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          onSelect(at(left), at(left + width));
        },
      ],
    },
  };
}

export function pointAt(curve: MemoryCurve, index: number | null | undefined): MemoryPoint | undefined {
  if (index === null || index === undefined) return undefined;
  const time_ns = curve.time_ns[index];
  const low_bytes = curve.low_bytes[index];
  const high_bytes = curve.high_bytes[index];
  if (time_ns === undefined || low_bytes === undefined || high_bytes === undefined) return undefined;
  return { time_ns, low_bytes, high_bytes, reserved_bytes: curve.reserved_bytes[index] };
}

function drawSteps(plot: uPlot, steps: readonly Step[], color: (name: string) => string): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.font = `${12 * devicePixelRatio}px ${getComputedStyle(plot.root).fontFamily}`;
  ctx.textBaseline = "bottom";
  ctx.textAlign = "left";
  let freeFrom = -Infinity;
  for (const { number, start_ns, end_ns } of steps) {
    const x = plot.valToPos(start_ns, "x", true);
    const right = plot.valToPos(end_ns, "x", true);
    if (right < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.fillStyle = color("line");
    if (x >= bbox.left) ctx.fillRect(Math.round(x), bbox.top, Math.max(1, Math.round(devicePixelRatio)), bbox.height);
    const labelAt = Math.max(x, bbox.left);
    if (labelAt < freeFrom) continue;
    ctx.fillStyle = color("dim");
    ctx.fillText(`step ${number}`, labelAt + 3, bbox.top - 3);
    freeFrom = labelAt + labelRoom * devicePixelRatio;
  }
  ctx.restore();
}

function drawPeak(plot: uPlot, curve: MemoryCurve, color: (name: string) => string): void {
  const device = curve.devices[curve.device];
  if (device === undefined || device.peak_ns < curve.start_ns || device.peak_ns > curve.end_ns) return;
  const x = plot.valToPos(device.peak_ns, "x", true);
  const y = plot.valToPos(device.peak_bytes, "y", true);
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.fillStyle = color("fg");
  ctx.strokeStyle = color("bg");
  ctx.lineWidth = 2 * devicePixelRatio;
  ctx.beginPath();
  ctx.arc(x, y, 4.5 * devicePixelRatio, 0, 2 * Math.PI);
  ctx.stroke();
  ctx.fill();
  ctx.font = `600 ${12 * devicePixelRatio}px ${getComputedStyle(plot.root).fontFamily}`;
  ctx.textBaseline = "middle";
  const isRight = x > bbox.left + bbox.width * 0.8;
  ctx.textAlign = isRight ? "right" : "left";
  ctx.fillText(
    `peak ${formatBytes(device.peak_bytes)}`,
    x + (isRight ? -9 : 9) * devicePixelRatio,
    y - 2 * devicePixelRatio,
  );
  ctx.restore();
}

function drawListed(plot: uPlot, listed_ns: number | undefined, color: (name: string) => string): void {
  if (listed_ns === undefined) return;
  const { ctx, bbox } = plot;
  const x = plot.valToPos(listed_ns, "x", true);
  if (x < bbox.left || x > bbox.left + bbox.width) return;
  ctx.save();
  ctx.strokeStyle = color("fg");
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}
