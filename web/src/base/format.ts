// Numbers as text, in the same words as the terminal uses. Thousands are set apart by a thin space, and a number is
// never torn from its unit at the end of a line.
import type { Cell, Unit } from "@protocol/messages";
import { assertUnreachable } from "./result";

const thin = "\u202f";
const space = "\u00a0";

/** What stands where there is no value. */
export const nothing = "–";

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, thin);
}

function fixed(value: number, decimals: number): string {
  const [whole = "", fraction] = value.toFixed(decimals).split(".");
  return fraction === undefined ? grouped(whole) : `${grouped(whole)}.${fraction}`;
}

function signOf(value: number): string {
  return value < 0 ? "−" : "";
}

// below: what the line is for, after rounding to its decimals.
const timeScales: readonly {
  readonly below: number;
  readonly unit: number;
  readonly decimals: number;
  readonly suffix: string;
}[] = [
  { below: 1e3, unit: 1, decimals: 0, suffix: "ns" },
  { below: 1e6, unit: 1e3, decimals: 1, suffix: "µs" },
  { below: 1e7, unit: 1e6, decimals: 3, suffix: "ms" },
  { below: 1e8, unit: 1e6, decimals: 2, suffix: "ms" },
  { below: 1e9, unit: 1e6, decimals: 1, suffix: "ms" },
  { below: 1e10, unit: 1e9, decimals: 3, suffix: "s" },
  { below: 1e11, unit: 1e9, decimals: 2, suffix: "s" },
  { below: 1e12, unit: 1e9, decimals: 1, suffix: "s" },
  { below: Infinity, unit: 1e9, decimals: 0, suffix: "s" },
];

export function formatNs(ns: number): string {
  if (!Number.isFinite(ns)) return nothing;
  const size = Math.abs(ns);
  for (const { below, unit, decimals, suffix } of timeScales) {
    const quantum = unit / 10 ** decimals;
    const quanta = Math.round(size / quantum);
    if (quanta * quantum < below) return `${signOf(ns)}${fixed((quanta * quantum) / unit, decimals)}${space}${suffix}`;
  }
  return nothing;
}

const byteSuffixes: readonly string[] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

export function formatBytes(bytes: number): string {
  if (!Number.isFinite(bytes)) return nothing;
  const size = Math.abs(bytes);
  if (size < 1024) return `${signOf(bytes)}${fixed(size, 0)}${space}B`;
  let scaled = size / 1024;
  let suffix = 0;
  // 1023.95 would be shown as 1024.0.
  while (scaled >= 1023.95 && suffix + 1 < byteSuffixes.length) {
    scaled /= 1024;
    suffix += 1;
  }
  return `${signOf(bytes)}${fixed(scaled, 1)}${space}${byteSuffixes[suffix] ?? ""}`;
}

export function formatCount(count: number): string {
  return Number.isFinite(count) ? `${signOf(count)}${fixed(Math.abs(count), 0)}` : nothing;
}

/** A share from 0 to 1 as percent; what is not nothing and not all is never shown as such. */
export function formatShare(share: number): string {
  if (!Number.isFinite(share)) return nothing;
  const percent = share * 100;
  if (percent > 0 && percent < 0.5) return `<1${space}%`;
  if (percent < 100 && percent >= 99.5) return `>99${space}%`;
  const size = Math.abs(percent) < 0.5 ? 0 : percent;
  return `${signOf(size)}${fixed(Math.abs(size), 0)}${space}%`;
}

export function formatNumber(value: number): string {
  return Number.isFinite(value) ? `${signOf(value)}${fixed(Math.abs(value), 1)}` : nothing;
}

/** "1 214" or "12.3"; whatever is counted stands beside it with "/s". */
export function formatPerSecond(value: number): string {
  return Math.abs(value) >= 100 ? formatCount(Math.round(value)) : formatNumber(value);
}

export function formatCounted(count: number, singular: string, plural: string): string {
  return `${formatCount(count)}${space}${count === 1 ? singular : plural}`;
}

export function formatCell(cell: Cell | undefined, unit: Unit): string {
  if (cell === null || cell === undefined) return nothing;
  if (typeof cell === "string") return cell;
  switch (unit) {
    case "ns":
      return formatNs(cell);
    case "bytes":
      return formatBytes(cell);
    case "bytes_per_second":
      return `${formatBytes(cell)}/s`;
    case "share":
      return formatShare(cell);
    case "per_second":
      return formatPerSecond(cell);
    case "number": // an id, not a quantity
      return Number.isInteger(cell) ? String(cell) : formatNumber(cell);
    case "count":
      return Number.isInteger(cell) ? formatCount(cell) : formatNumber(cell);
    case "text":
      return String(cell);
    default:
      return assertUnreachable(unit);
  }
}
