// Above the tracks: search, what is visible, what the colours mean.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { formatCount, formatNs } from "../../base/format";
import { begin } from "../../base/idle";
import type { Role } from "../../base/roles";
import { nextMatch } from "./keys";
import type { TimelineStage } from "./stage";

interface BarProps {
  readonly stage: TimelineStage;
  readonly together:
    { readonly isAlone: boolean; readonly title: string; readonly onChange: (isAlone: boolean) => void } | undefined;
}

const searchAfterMs = 150;

const legend: readonly { readonly role: Role; readonly word: string; readonly what: string }[] = [
  { role: "compute", word: "operators, kernels", what: "What computes, on the host and on the device" },
  {
    role: "communication",
    word: "communication",
    what: "Operators and kernels that exchange data with other ranks, by their names",
  },
  { role: "copy", word: "copies", what: "Copies and fills of memory on the device" },
  { role: "host", word: "Python", what: "Python functions and modules" },
  { role: "launch", word: "launches", what: "Calls of the runtime and the driver" },
  { role: "idle", word: "annotations", what: "Stretches that the program named" },
];

export function TimelineBar({ stage, together }: BarProps) {
  return (
    <div class="timeline-bar">
      <SearchField stage={stage} />
      <ViewSpan stage={stage} />
      {together !== undefined && (
        <label class="dim" title="Show only the chosen trace, or all that ran at the same time">
          <input
            type="checkbox"
            checked={!together.isAlone}
            onChange={(event) => together.onChange(!event.currentTarget.checked)}
          />{" "}
          {together.title}
        </label>
      )}
      <Trouble stage={stage} />
      <span class="timeline-legend">
        {legend.map(({ role, word, what }) => (
          <span key={role} title={what}>
            <i style={{ background: `var(--${role})` }} />
            {word}
          </span>
        ))}
        <span title="Slices that are too short to be drawn apart; zoom in to see them">
          <i class="is-joined" />
          several as one
        </span>
      </span>
    </div>
  );
}

function SearchField({ stage }: { readonly stage: TimelineStage }) {
  const { store } = stage;
  const typed = useSignal(store.searchText.value);
  useEffect(() => store.searchText.subscribe((text) => (typed.value = text)), [stage]);
  useEffect(() => {
    if (typed.value === store.searchText.peek()) return;
    const end = begin();
    const timer = setTimeout(() => {
      end();
      if (typed.peek() !== store.searchText.peek()) void store.search(typed.peek()); // Enter may have been quicker
    }, searchAfterMs);
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [typed.value]);
  const jump = async (way: 1 | -1): Promise<void> => {
    if (typed.peek() !== store.searchText.peek()) await store.search(typed.peek());
    nextMatch(stage, way);
  };
  return (
    <span class="timeline-search">
      <input
        type="search"
        placeholder="Search slices"
        aria-label="Search slices by name"
        value={typed.value}
        onInput={(event) => (typed.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          void jump(event.shiftKey ? -1 : 1);
        }}
      />
      <MatchCount stage={stage} />
    </span>
  );
}

function MatchCount({ stage }: { readonly stage: TimelineStage }) {
  const matches = stage.store.matches.value;
  if (matches === undefined) return undefined;
  if (matches.state === "asking") return <small class="dim">searching …</small>;
  if (matches.state === "failed") return <small class="bad">{matches.sentence}</small>;
  const { total, found } = matches.value;
  if (total === 0) return <small class="dim">no match</small>;
  const current = stage.store.currentMatch.value;
  const first = found.length < total ? `, the first ${formatCount(found.length)} of them can be visited` : "";
  return (
    <small class="dim" title={`Enter goes to the next, Shift+Enter back${first}`}>
      {current < 0 ? "" : `${formatCount(current + 1)} of `}
      {formatCount(total)}
      <button type="button" class="plain" aria-label="Previous match" onClick={() => nextMatch(stage, -1)}>
        ‹
      </button>
      <button type="button" class="plain" aria-label="Next match" onClick={() => nextMatch(stage, 1)}>
        ›
      </button>
    </small>
  );
}

function ViewSpan({ stage }: { readonly stage: TimelineStage }) {
  const span = useSignal("");
  useEffect(() => {
    const moved = (): void => {
      span.value = formatNs(stage.view.endNs - stage.view.startNs);
    };
    moved();
    stage.onMoved.add(moved);
    return () => stage.onMoved.delete(moved);
  }, [stage]);
  return (
    <span class="dim timeline-span" title="How much time the view holds, from its left to its right edge">
      {span.value}
    </span>
  );
}

function Trouble({ stage }: { readonly stage: TimelineStage }) {
  const sentence = stage.store.trouble.value;
  return sentence === "" ? undefined : (
    <span class="bad" role="alert">
      {sentence}
    </span>
  );
}
