// The history of a project's profiles as a table that other programs read.
import type { HistoryEntry } from "@protocol/messages";
import { csvOfRows } from "../../../base/csv";

const header: readonly string[] = [
  "time",
  "session",
  "profile",
  "changed",
  "batch_size",
  "samples_per_second",
  "uncertainty",
  "peak_memory_bytes",
  "trouble",
];

/** The oldest first, numbers exact. */
export function historyCsv(history: readonly HistoryEntry[]): string {
  const rows = history.map((entry) => [
    new Date(entry.time_ms).toISOString(),
    entry.is_earlier ? "earlier" : "this",
    entry.save,
    entry.changed.join(" "),
    ...(entry.samples_per_second > 0
      ? [entry.batch_size, entry.samples_per_second, entry.uncertainty, entry.peak_bytes]
      : [null, null, null, null]),
    entry.trouble,
  ]);
  return csvOfRows([header, ...rows]);
}
