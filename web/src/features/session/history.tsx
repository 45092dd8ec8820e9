// The saves of this session: a small line of their throughputs that opens the list of what each one changed.
import type { HistoryEntry } from "@protocol/messages";
import { useEffect, useRef, useState } from "preact/hooks";
import { formatBytes, formatPerSecond } from "../../base/format";
import { host } from "../../model/page_host";
import { historyCsv } from "./model/export";
import { saveRows, sparkline, type SaveRow, wholeChange } from "./model/history";
import { formatChange, formatSpread } from "./model/words";
import "./history.css";

const width = 130;
const height = 18;

interface HistoryProps {
  readonly history: readonly HistoryEntry[];
  readonly shownPath: (path: string) => string;
}

export function History({ history, shownPath }: HistoryProps) {
  const [isOpen, setOpen] = useState(false);
  const mine = history.filter(({ is_earlier }) => !is_earlier);
  const change = wholeChange(mine);
  if (history.length === 0) return <span />;
  return (
    <div class="history">
      <button
        type="button"
        class="plain history-line"
        aria-expanded={isOpen}
        data-tip="What each save changed"
        onClick={() => setOpen(!isOpen)}
      >
        <span class="dim">{mine.length === 1 ? "1 profile" : `${mine.length} profiles`}</span>
        <Line history={history} />
        <span class="dim">{change === undefined ? "" : formatChange(change)}</span>
      </button>
      {isOpen && <List history={history} shownPath={shownPath} onClose={() => setOpen(false)} />}
    </div>
  );
}

function Line({ history }: { readonly history: readonly HistoryEntry[] }) {
  const points = sparkline(history);
  const at = (x: number, y: number): string =>
    `${(3 + x * (width - 6)).toFixed(1)} ${(height - 3 - y * (height - 6)).toFixed(1)}`;
  const known = points.filter(({ y }) => y !== undefined);
  const last = known.at(-1);
  return (
    <svg width={width} height={height} aria-hidden="true">
      {known.length > 1 && <path class="history-path" d={`M${known.map(({ x, y }) => at(x, y ?? 0)).join("L")}`} />}
      {points
        .filter(({ y }) => y === undefined)
        .map(({ x, save }) => (
          <path key={save} class="history-trouble" d={`M${at(x, 0)}v-3`} />
        ))}
      {last !== undefined && (
        <circle
          class="history-last"
          cx={3 + last.x * (width - 6)}
          cy={height - 3 - (last.y ?? 0) * (height - 6)}
          r="2.5"
        />
      )}
    </svg>
  );
}

function List({ history, shownPath, onClose }: HistoryProps & { readonly onClose: () => void }) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.focus();
    const leave = (event: PointerEvent): void => {
      if (event.target instanceof Node && list.current?.parentElement?.contains(event.target) !== true) onClose();
    };
    addEventListener("pointerdown", leave);
    return () => removeEventListener("pointerdown", leave);
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    onClose();
  };
  return (
    <div
      class="history-list"
      role="dialog"
      aria-label="What each save changed"
      tabIndex={-1}
      ref={list}
      onKeyDown={onKeyDown}
    >
      <table>
        <thead>
          <tr>
            <th>Profile</th>
            <th>Changed</th>
            <th>Batch</th>
            <th class="is-number">Samples/s</th>
            <th class="is-number" />
            <th class="is-number">Peak memory</th>
            <th class="is-number" />
          </tr>
        </thead>
        <tbody>
          {saveRows(history)
            .reverse()
            .map((row) => (
              <Row key={`${row.entry.time_ms} ${row.entry.save}`} row={row} shownPath={shownPath} />
            ))}
        </tbody>
      </table>
      <Export history={history} />
    </div>
  );
}

function dayOf(time: number): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: "short", timeStyle: "short" });
}

function Export({ history }: { readonly history: readonly HistoryEntry[] }) {
  const [said, setSaid] = useState("");
  const copy = async (): Promise<void> => {
    const done = await host.copyText(historyCsv(history));
    setSaid(done.ok ? "Copied" : done.sentence);
  };
  return (
    <p class="history-export dim">
      <span>The profiles of a project are kept when its session ends.</span>
      <button type="button" class="plain" data-tip="All profiles shown here, numbers exact" onClick={() => void copy()}>
        Copy as CSV
      </button>
      <span role="status">{said}</span>
    </p>
  );
}

interface RowProps {
  readonly row: SaveRow;
  readonly shownPath: (path: string) => string;
}

function Row({ row: { entry, speedChange, memoryChange, isClear }, shownPath }: RowProps) {
  const changed =
    entry.changed.length === 0
      ? entry.save === 1
        ? entry.is_earlier
          ? "start of a session before"
          : "start"
        : "profiled again"
      : entry.changed.map(shownPath).join(", ");
  return (
    <tr data-save={entry.save} class={entry.is_earlier ? "is-earlier" : ""}>
      <td class="dim">{entry.is_earlier ? dayOf(entry.time_ms) : entry.save}</td>
      <td class="history-changed" data-tip={changed}>
        {changed}
      </td>
      {entry.samples_per_second > 0 ? (
        <>
          <td>{entry.batch_size}</td>
          <td
            class="is-number"
            data-tip={
              entry.is_complete
                ? formatSpread(entry.uncertainty)
                : "A first number; the profile did not come to its end."
            }
          >
            {formatPerSecond(entry.samples_per_second)}
          </td>
          <td
            class={`is-number ${isClear ? (Number(speedChange) > 0 ? "good" : "bad") : "dim"}`}
            data-tip={isClear ? undefined : "Within what both numbers are uncertain by"}
          >
            {speedChange === undefined ? "" : formatChange(speedChange)}
          </td>
          <td class="is-number">{formatBytes(entry.peak_bytes)}</td>
          <td class="is-number dim">{memoryChange === undefined ? "" : formatChange(memoryChange)}</td>
        </>
      ) : (
        <td class="bad" colSpan={5}>
          {entry.trouble === "" ? "no number" : entry.trouble}
        </td>
      )}
    </tr>
  );
}
