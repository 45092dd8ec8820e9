// What each save changed.
import type { HistoryEntry } from "@protocol/messages";

export interface SaveRow {
  readonly entry: HistoryEntry;
  /** Against the last save before it that has a number, as shares; undefined: there is none. */
  readonly speedChange: number | undefined;
  readonly memoryChange: number | undefined;
  /** Whether the two throughputs are apart by more than both are uncertain. */
  readonly isClear: boolean;
}

/** The oldest first. */
export function saveRows(history: readonly HistoryEntry[]): SaveRow[] {
  let before: HistoryEntry | undefined;
  return history.map((entry) => {
    const hasNumber = entry.samples_per_second > 0;
    const speedChange =
      hasNumber && before !== undefined ? entry.samples_per_second / before.samples_per_second - 1 : undefined;
    const memoryChange =
      hasNumber && before !== undefined && before.peak_bytes > 0 ? entry.peak_bytes / before.peak_bytes - 1 : undefined;
    const doubt = entry.uncertainty + (before?.uncertainty ?? 0);
    if (hasNumber) before = entry;
    return { entry, speedChange, memoryChange, isClear: speedChange !== undefined && Math.abs(speedChange) > doubt };
  });
}

/** From the first number of the session to the last. */
export function wholeChange(history: readonly HistoryEntry[]): number | undefined {
  const rates = history.map((entry) => entry.samples_per_second).filter((rate) => rate > 0);
  const first = rates[0];
  const last = rates[rates.length - 1];
  return first === undefined || last === undefined || rates.length < 2 ? undefined : last / first - 1;
}

/** Points of the sparkline from 0 to 1, the lowest rate below; saves without a number leave a gap. */
export function sparkline(
  history: readonly HistoryEntry[],
): readonly { readonly x: number; readonly y: number | undefined; readonly save: number }[] {
  const rates = history.map((entry) => entry.samples_per_second).filter((rate) => rate > 0);
  const low = Math.min(...rates);
  const high = Math.max(...rates);
  return history.map(({ samples_per_second: rate, save }, i) => ({
    x: history.length < 2 ? 1 : i / (history.length - 1),
    y: rate <= 0 ? undefined : high > low ? (rate - low) / (high - low) : 0.5,
    save,
  }));
}
