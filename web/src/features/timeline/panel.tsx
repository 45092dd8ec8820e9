// Beside the tracks: what the measured range holds, what is known of the selected slice, what search has found.
import type { Range } from "@protocol/messages";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { formatCount, formatNs, formatShare } from "../../base/format";
import type { Asked, Match, MeasuredRange } from "./model/store";
import { Details, nameOfTrace, Swatch } from "./details";
import { fitSelection } from "./keys";
import type { TimelineStage } from "./stage";

const mostNames = 25;
const mostMatches = 200;

export function TimelinePanel({ stage }: { readonly stage: TimelineStage }) {
  const { range, rangeContents, selected, searchText } = stage.store;
  // While a range is dragged there is no panel: the canvas must not change its size under the mouse.
  const measured = rangeContents.value === undefined ? undefined : range.value;
  if (measured === undefined && selected.value === undefined && searchText.value === "") return undefined;
  return (
    <aside class="timeline-panel" aria-label="Details">
      {measured !== undefined && <RangePart stage={stage} range={measured} />}
      {searchText.value !== "" && <MatchesPart stage={stage} />}
      {selected.value !== undefined && <SelectionPart stage={stage} />}
    </aside>
  );
}

function Awaited<T>({
  asked,
  phase,
  children,
}: {
  readonly asked: Asked<T> | undefined;
  readonly phase: string;
  readonly children: (value: T) => ComponentChildren;
}) {
  if (asked === undefined) return undefined;
  if (asked.state === "asking") return <p class="dim">{phase} …</p>;
  if (asked.state === "failed") return <p class="bad">{asked.sentence}</p>;
  return <>{children(asked.value)}</>;
}

function Heading({
  text,
  stage,
  onClose,
}: {
  readonly text: string;
  readonly stage: TimelineStage;
  readonly onClose: () => void;
}) {
  return (
    <header>
      <h2>{text}</h2>
      <button type="button" class="plain" title="Zoom to it (F)" onClick={() => fitSelection(stage)}>
        fit
      </button>
      <button type="button" class="plain" title="Close (Esc)" aria-label={`Close: ${text}`} onClick={onClose}>
        ×
      </button>
    </header>
  );
}

function RangePart({ stage, range }: { readonly stage: TimelineStage; readonly range: MeasuredRange }) {
  const { store } = stage;
  const of = store.parts.length > 1 ? ` of ${nameOfTrace(stage, range.trace)}` : "";
  return (
    <section aria-label="Measured range">
      <Heading text="Measured range" stage={stage} onClose={() => store.measure(undefined)} />
      <p class="timeline-figure" title="End minus start of the range">
        {formatNs(range.endNs - range.startNs)}
      </p>
      <p class="dim">
        from {formatNs(range.startNs)} to {formatNs(range.endNs)} after the start
      </p>
      <Awaited asked={store.rangeContents.value} phase={`Adding up what happens within it${of}`}>
        {(contents) => <RangeContents contents={contents} of={of} />}
      </Awaited>
    </section>
  );
}

function RangeContents({ contents, of }: { readonly contents: Range; readonly of: string }) {
  if (contents.categories.length === 0) return <p class="dim">Nothing runs within it{of}.</p>;
  const top = contents.names.slice(0, mostNames);
  return (
    <>
      <table>
        <caption>Busy time by category{of}</caption>
        <thead>
          <tr>
            <th>category</th>
            <th title="Slices that touch the range">slices</th>
            <th title="Time in which at least one slice of the category runs">busy</th>
            <th title="Busy time as a share of the range">share</th>
          </tr>
        </thead>
        <tbody>
          {contents.categories.map(({ name, count, busy_ns }) => (
            <tr key={name}>
              <td>
                <Swatch kind={name} />
                {name}
              </td>
              <td>{formatCount(count)}</td>
              <td>{formatNs(busy_ns)}</td>
              <td>{formatShare(busy_ns / contents.dur_ns)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <table>
        <caption>Longest names</caption>
        <thead>
          <tr>
            <th>name</th>
            <th title="Slices of this name that touch the range">slices</th>
            <th title="Sum of their times within the range, with what is nested inside them">total</th>
          </tr>
        </thead>
        <tbody>
          {top.map(({ name, category, kind, count, total_ns }) => (
            <tr key={`${category} ${name}`}>
              <td title={name}>
                <Swatch kind={kind} />
                {name}
              </td>
              <td>{formatCount(count)}</td>
              <td>{formatNs(total_ns)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {contents.names.length > top.length && (
        <p class="dim">and {formatCount(contents.names.length - top.length)} names more</p>
      )}
    </>
  );
}

function SelectionPart({ stage }: { readonly stage: TimelineStage }) {
  const { store } = stage;
  return (
    <section aria-label="Selected slice" aria-live="polite">
      <Heading text="Selected slice" stage={stage} onClose={() => store.select(undefined)} />
      <Awaited asked={store.details.value} phase="Asking what it is">
        {(details) => <Details stage={stage} details={details} trace={store.selected.value?.trace ?? ""} />}
      </Awaited>
    </section>
  );
}

function MatchesPart({ stage }: { readonly stage: TimelineStage }) {
  const { store } = stage;
  const list = useRef<HTMLUListElement>(null);
  const current = store.currentMatch.value;
  useEffect(
    () => list.current?.querySelector('[aria-current="true"]')?.scrollIntoView({ block: "nearest" }),
    [current],
  );
  const go = ({ place }: Match, index: number): void => {
    store.currentMatch.value = index;
    store.select(place);
    stage.reveal(place);
  };
  return (
    <section aria-label="Search results">
      <header>
        <h2>Found</h2>
        <button
          type="button"
          class="plain"
          title="Close"
          aria-label="Close: Found"
          onClick={() => void store.search("")}
        >
          ×
        </button>
      </header>
      <Awaited asked={store.matches.value} phase="Searching">
        {({ text, total, found }) =>
          total === 0 ? (
            <p class="dim">No slice's name contains “{text}”.</p>
          ) : (
            <>
              <ul class="timeline-matches" ref={list}>
                {windowAround(found, current).map(({ match, index }) => (
                  <li key={index} aria-current={index === current}>
                    <button type="button" class="plain" title={match.ref.name} onClick={() => go(match, index)}>
                      <Swatch kind={match.ref.kind} />
                      {match.ref.name}
                    </button>
                    <small title="Start after the trace's start; duration">
                      {formatNs(match.ref.start_ns)} · {formatNs(match.ref.dur_ns)}
                    </small>
                  </li>
                ))}
              </ul>
              {total > mostMatches && <p class="dim">of {formatCount(total)} in all; Enter goes on to the next</p>}
            </>
          )
        }
      </Awaited>
    </section>
  );
}

function windowAround(found: readonly Match[], current: number): { match: Match; index: number }[] {
  const first = Math.max(0, Math.min(current - mostMatches / 2, found.length - mostMatches));
  return found.slice(first, first + mostMatches).map((match, i) => ({ match, index: first + i }));
}
