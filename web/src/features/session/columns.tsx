// The two columns: where the time of an iteration goes, and where the memory goes at its peak. What is opened is the
// same place in both.
import { useComputed } from "@preact/signals";
import { type ComponentChildren, Fragment } from "preact";
import { useMemo } from "preact/hooks";
import { formatBytes, formatNs, formatShare } from "../../base/format";
import { paramOf, setParams } from "../../base/url_state";
import { memoryShare, timeShare } from "../../model/breakdown/focus";
import type { Focus } from "../../model/breakdown/links";
import { memorySegments, roleLabel } from "../../model/breakdown/memory";
import { focusOfMemory, focusOfTime, placeOf, topOps } from "../../model/breakdown/pointing";
import {
  breakdown,
  by,
  clock,
  crumbs,
  focus,
  goUp,
  maps,
  memory,
  memoryScope,
  openRole,
  openScope,
  phases,
  phaseWords,
  roles,
  scope,
  shownPath,
} from "./model/store";
import { type Segment, sumOf, timeOf, timeSegments } from "../../model/breakdown/tree";
import { definitionOf } from "./model/words";
import { legendOf } from "./model/legend";
import { Choice } from "../../widgets/choice";
import { StackColumn } from "./stack_column";
import { Search } from "./search";
import { showLine } from "./session_source";
import { tip, TipTable } from "./tip";

export function Columns({ isOutdated }: { readonly isOutdated: boolean }) {
  return (
    <div class={`session-columns${isOutdated ? " is-outdated" : ""}`}>
      <Strip />
      <RunTime />
      <Memory />
    </div>
  );
}

function Strip() {
  const way = crumbs.value;
  const choices = breakdown.value?.has_device === true;
  return (
    <div class="session-strip">
      <nav aria-label="What is opened" class="session-crumbs">
        {way.map(({ name, label }, i) =>
          i === way.length - 1 ? (
            <span key={name} aria-current="location">
              {label}
            </span>
          ) : (
            <Fragment key={name}>
              <button type="button" class="plain" onClick={() => setParams({ at: name, more: "" })}>
                {label}
              </button>
              <i aria-hidden="true">›</i>
            </Fragment>
          ),
        )}
      </nav>
      <span class="session-switches">
        <Search />
        {choices && (
          <Choice
            label="Whose time"
            value={clock.value}
            options={[
              { value: "host", title: "host", tip: "Wall time of the thread that trains." },
              { value: "device", title: "device", tip: "Time of the work that was launched on the device." },
            ]}
            onChoose={(value) => setParams({ clock: value })}
          />
        )}
        <Choice
          label="By"
          value={by.value}
          options={[
            { value: "modules", title: "modules", tip: "By nn.Module instance." },
            { value: "lines", title: "lines", tip: "By line of the program." },
          ]}
          onChoose={(value) => setParams({ by: value === "lines" ? "lines" : "", at: "", more: "" })}
        />
      </span>
    </div>
  );
}

function RunTime() {
  const known = breakdown.value;
  const segments = useMemo(
    () => (known === undefined ? [] : timeSegments(known[by.value], scope.value, clock.value, phases.value)),
    [known, by.value, scope.value, clock.value, phases.value],
  );
  const whole = sumOf(segments.map(({ value }) => value));
  const all =
    known === undefined ? 0 : timeOf(known.modules[0]?.total ?? { host: [], device: [], calls: 0 }, clock.value);
  const focusOf = (segment: Segment) =>
    known && focusOfTime(known, maps.peek(), segment, by.peek(), clock.peek(), phaseWords.peek());
  const isMore = useComputed(() => paramOf("more") === "time");
  return (
    <section class="session-column" aria-label="Run time">
      <h2 data-tip="Time of one recorded iteration, backward included where its forward pass ran; the segments add up to it.">
        Run time <span>{known === undefined ? "" : formatNs(whole)}</span>
      </h2>
      <StackColumn
        id="run-time"
        name="Run time"
        segments={segments}
        isMoreOpen={isMore.value}
        format={(segment) => formatShare(all > 0 ? segment.value / all : 0)}
        describe={(segment) =>
          `${segment.label} ${segment.detail}, ${formatNs(segment.value)}, ${formatShare(all > 0 ? segment.value / all : 0)} of the iteration`
        }
        focus={focus}
        shareOf={(segment) => {
          const pointed = focus.peek();
          return known === undefined || pointed === undefined
            ? undefined
            : timeShare(known, maps.peek(), segment, pointed, by.peek(), clock.peek(), phaseWords.peek());
        }}
        isPointed={({ key }) => focus.peek()?.from === "time" && focus.peek()?.segment === key}
        onPoint={(segment, element) =>
          point(segment && focusOf(segment), element, segment && <TimeTip segment={segment} all={all} whole={whole} />)
        }
        onPick={(segment) => jump(focusOf(segment))}
        onOpen={(segment) => (segment.kind === "others" ? setParams({ more: "time" }) : openScope(segment.node))}
        onUp={goUp}
        empty={known === undefined ? "One iteration is recorded after the first number." : "Nothing was recorded here."}
      />
      <Legend segments={segments} words={phaseWords.value} />
    </section>
  );
}

function point(to: Focus | undefined, element: Element | undefined, content: ComponentChildren): void {
  focus.value = to;
  tip.value = element && { box: element.getBoundingClientRect(), side: "aside", content };
}

function jump(to: Focus | undefined): void {
  if (to?.place !== undefined) showLine(placeOf(to.place));
}

function Legend({ segments, words }: { readonly segments: readonly Segment[]; readonly words: readonly string[] }) {
  const terms = phases.value.concat(roles.value);
  return (
    <p class="session-legend dim">
      {legendOf(segments, words).map(({ role, words: meant }) => (
        <span key={role} data-tip={meant.map((word) => definitionOf(terms, word)).join(" ")}>
          <i class="tone" data-role={role} style={{ background: `var(--${role})` }} /> {meant.map(roleLabel).join(", ")}
        </span>
      ))}
    </p>
  );
}

function TimeTip({ segment, all, whole }: { readonly segment: Segment; readonly all: number; readonly whole: number }) {
  const known = breakdown.peek();
  const isPlace = segment.kind === "place" && known !== undefined;
  const node = isPlace ? known[by.peek()][segment.node] : undefined;
  const ops = isPlace ? topOps(known, by.peek(), segment.node, clock.peek(), 3) : [];
  return (
    <TipTable
      title={node?.name !== undefined && node.name !== "" && by.peek() === "modules" ? node.name : segment.label}
      detail={segment.detail}
      rows={[
        { name: "time", value: formatNs(segment.value) },
        { name: "of the iteration", value: formatShare(all > 0 ? segment.value / all : 0) },
        ...(whole < all ? [{ name: "of what is opened", value: formatShare(segment.value / whole) }] : []),
        ...(segment.parts.length > 1
          ? segment.parts.map(({ word, value }) => ({ name: roleLabel(word), value: formatNs(value), word }))
          : []),
        ...(node === undefined ? [] : [{ name: "operators called", value: String(node.total.calls) }]),
      ]}
      ops={ops.map(({ name, calls, ns }) => ({ name: `${name} × ${calls}`, value: formatNs(ns) }))}
      hint={hintOf(segment)}
    />
  );
}

function Memory() {
  const known = memory.value;
  const within = memoryScope.value;
  const role = openRole.value;
  const segments = useMemo(
    () =>
      known === undefined || within === undefined ? [] : memorySegments(known, roles.value, within, role, by.value),
    [known, within, role, roles.value, by.value],
  );
  const isByLine = by.value === "lines" || within?.kind === "lines";
  const whole = sumOf(segments.map(({ value }) => value));
  const word = role === undefined ? undefined : roles.value[role]?.name;
  const focusOf = (segment: Segment) => known && focusOfMemory(known, breakdown.peek(), maps.peek(), segment, isByLine);
  const isMore = useComputed(() => paramOf("more") === "memory");
  return (
    <section class="session-column" aria-label="Memory at the peak">
      <h2 data-tip="What lives in torch's allocator when the iteration needs the most of it; the segments add up to it.">
        {word === undefined ? (
          "Memory at peak"
        ) : (
          <button type="button" class="plain" data-tip="Show all roles again" onClick={() => setParams({ role: "" })}>
            All › {roleLabel(word)}
          </button>
        )}
        <span>{known === undefined ? "" : formatBytes(whole)}</span>
      </h2>
      <StackColumn
        id="memory"
        name="Memory at the peak"
        segments={segments}
        isMoreOpen={isMore.value}
        format={(segment) => formatBytes(segment.value)}
        describe={(segment) =>
          `${segment.label}, ${formatBytes(segment.value)}, ${formatShare(whole > 0 ? segment.value / whole : 0)}`
        }
        focus={focus}
        shareOf={(segment) => {
          const pointed = focus.peek();
          return known === undefined || pointed === undefined
            ? undefined
            : memoryShare(known, maps.peek(), segment, pointed, isByLine, openRole.peek());
        }}
        isPointed={({ key }) => focus.peek()?.from === "memory" && focus.peek()?.segment === key}
        onPoint={(segment, element) =>
          point(
            segment && focusOf(segment),
            element,
            segment && <MemoryTip segment={segment} peak={known?.peak_bytes ?? 0} whole={whole} />,
          )
        }
        onPick={(segment) => jump(focusOf(segment))}
        onOpen={openMemory}
        onUp={goUp}
        empty={
          known === undefined ? "Memory is recorded in the first iterations." : "Nothing of this lives at the peak."
        }
      />
      <Legend segments={segments} words={roles.value.map(({ name }) => name)} />
    </section>
  );
}

function hintOf(segment: Segment): string {
  const show = segment.kind === "place" ? "A click shows its line" : "";
  const open = segment.canOpen ? "› or Enter opens it" : "";
  return [show, open].filter((text) => text !== "").join("; ");
}

function openMemory(segment: Segment): void {
  if (segment.kind === "role") setParams({ role: roles.peek()[segment.node]?.name ?? "", more: "" });
  else if (segment.kind === "others") setParams({ more: "memory" });
  else if (segment.kind === "place" && segment.canOpen) {
    const module = maps.peek().moduleOfKey.get(segment.key);
    if (module !== undefined) openScope(module);
  }
}

function MemoryTip({
  segment,
  peak,
  whole,
}: {
  readonly segment: Segment;
  readonly peak: number;
  readonly whole: number;
}) {
  return (
    <TipTable
      title={segment.kind === "place" ? shownPath(segment.key) : segment.label}
      detail={segment.detail}
      rows={[
        { name: "memory", value: formatBytes(segment.value) },
        { name: "of the peak", value: formatShare(peak > 0 ? segment.value / peak : 0) },
        ...(whole < peak ? [{ name: "of what is opened", value: formatShare(segment.value / whole) }] : []),
        ...(segment.parts.length > 1
          ? segment.parts.map(({ word, value }) => ({ name: roleLabel(word), value: formatBytes(value), word }))
          : []),
      ]}
      hint={hintOf(segment)}
    />
  );
}
