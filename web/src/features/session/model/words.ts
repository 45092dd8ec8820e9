// Sentences and values of the session view, in the words of the terminal.
import type { SessionResult, Term } from "@protocol/messages";
import { formatBytes, formatPerSecond, formatShare } from "../../../base/format";
import { hasLimit, type Outlook } from "./predict";

/** "+15 %", "−3 %", "±0 %". */
export function formatChange(change: number): string {
  const percent = Math.round(change * 100);
  if (percent === 0) return "±0\u00a0%";
  return `${percent > 0 ? "+" : "−"}${Math.abs(percent)}\u00a0%`;
}

/** "± 0.8 %": one decimal below 10 %. */
export function formatSpread(share: number): string {
  if (share >= 1) return "spread not known yet";
  const percent = share * 100;
  return `±\u00a0${percent < 9.95 ? percent.toFixed(1) : percent.toFixed(0)}\u00a0%`;
}

/** A sentence in pieces; those that are predicted are marked. */
export interface Piece {
  readonly text: string;
  readonly isPredicted: boolean;
}

const said = (text: string): Piece => ({ text, isPredicted: false });
const predicted = (text: string): Piece => ({ text, isPredicted: true });

export function wishSentence(result: SessionResult, outlook: Outlook): Piece[] {
  const change = result.samples_per_second > 0 ? outlook.perSecond / result.samples_per_second - 1 : 0;
  const { hasTime, hasMemory } = whatIsKnown(result);
  const limit = hasLimit(result) ? ` of ${formatBytes(result.capacity_bytes)}` : "";
  const needs = `use ${formatBytes(outlook.peakBytes)}${limit}`;
  return [
    said(`${formatPerSecond(result.samples_per_second)} samples/s at batch ${result.batch_size}. Batch `),
    predicted(String(outlook.batchSize)),
    said(" would "),
    ...(hasTime
      ? [said("give about "), predicted(formatPerSecond(outlook.perSecond)), said(` (${formatChange(change)})`)]
      : []),
    said(hasMemory ? `${hasTime ? " and " : ""}${needs}.` : "."),
    ...(hasTime ? [] : [said(" How fast it would be cannot be said.")]),
    ...(hasMemory ? [] : [said(" How much memory it would use cannot be said.")]),
  ];
}

/** Of which of the two the models may be believed. */
function whatIsKnown({ models }: SessionResult): { readonly hasTime: boolean; readonly hasMemory: boolean } {
  return { hasTime: models?.time_doubt === "", hasMemory: models?.memory_doubt === "" };
}

/** What a screen reader says of a bar. */
export function valueText(result: SessionResult, outlook: Outlook | undefined): string {
  const { hasTime, hasMemory } = outlook === undefined ? { hasTime: true, hasMemory: true } : whatIsKnown(result);
  const rate = formatPerSecond(outlook?.perSecond ?? result.samples_per_second);
  const figures = [
    ...(hasTime ? [`${outlook === undefined ? "" : "about "}${rate} samples/s`] : []),
    ...(hasMemory ? [formatBytes(outlook?.peakBytes ?? result.peak_bytes)] : []),
    ...(outlook === undefined ? [] : [outlook.isExtrapolated ? "extrapolated" : "predicted"]),
  ];
  return `batch ${outlook?.batchSize ?? result.batch_size}: ${figures.join(", ")}`;
}

/** Half the width of an interval as a share of its middle. */
export function bandOf(low: number, value: number, high: number): number {
  return value > 0 ? Math.max(high - value, value - low) / value : 0;
}

export function definitionOf(terms: readonly Term[], word: string): string {
  return terms.find(({ name }) => name === word)?.definition ?? "";
}

/** "in stage2 and stage3" and the like are the server's; this stands below them while nothing was said. */
export function shareOf(value: number, whole: number): string {
  return whole > 0 ? formatShare(value / whole) : formatShare(0);
}
