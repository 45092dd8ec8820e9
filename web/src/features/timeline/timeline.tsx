// The timeline: threads and streams over time. What is drawn comes as tiles from the server; see stage.ts.
import type { Timeline, TraceSummary } from "@protocol/messages";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { formatCounted } from "../../base/format";
import { paramOf, setParams } from "../../base/url_state";
import { ask } from "../../model/answers";
import { generation } from "../../model/app";
import { host } from "../../model/page_host";
import { layOut, type TracePart } from "./model/layout";
import { TimelineStore } from "./model/store";
import type { TraceViewProps } from "../../model/view_def";
import { Empty, Phase, Trouble } from "../../widgets/answer";
import { keepAddress } from "./address_sync";
import { TimelineBar } from "./bar";
import { listenToHands } from "./hands";
import { makeHover, TimelineTip } from "./hover";
import { listenToKeys } from "./keys";
import { TimelineNames } from "./names";
import { TimelinePanel } from "./panel";
import { showToTests } from "./probe";
import { TimelineStage } from "./stage";
import "./timeline.css";

const mostTogether = 64; // traces

export function View({ hello, trace }: TraceViewProps) {
  const isAlone = paramOf("alone") === "1";
  // Not anew for every trace that is read or let go of meanwhile: tracks must not come and go before the user's eyes.
  const all = useMemo(() => together(hello.traces, trace), [trace.id, generation.value]);
  const beside = useMemo(() => (isAlone ? all.filter(({ id }) => id === trace.id) : all), [all, isAlone]);
  const loaded = useParts(beside);
  const before = useRef<string | undefined>(undefined); // the trace that was chosen before
  if (loaded.state === "failed") return <Trouble sentence={loaded.sentence} />;
  if (loaded.state === "waiting")
    return <Phase text={`Laying out ${formatCounted(events(beside), "event", "events")}`} />;
  if (layOut(loaded.parts, new Set()).items.length === 0) {
    return (
      <Empty
        title="Timeline: nothing to show"
        sentence="This trace holds no slices: nothing was running while it was recorded, or all of it was lost. The overview tells what was lost."
      />
    );
  }
  const canBeAlone = all.length > 1;
  const isOther = before.current !== undefined && before.current !== trace.id;
  before.current = trace.id;
  return (
    <Stage
      key={`${loaded.key} ${trace.id}`}
      parts={loaded.parts}
      trace={trace}
      kinds={hello.kinds}
      isScrolledTo={isOther}
      together={
        canBeAlone
          ? {
              isAlone,
              title: hello.door === "session" ? "both recordings" : "all ranks",
              onChange: (alone) => setParams({ alone: alone ? "1" : "" }),
            }
          : undefined
      }
    />
  );
}

/** The traces that ran at the same time: ranks of one run. None is read just to be shown beside the chosen one. */
export function together(traces: readonly TraceSummary[], chosen: TraceSummary): readonly TraceSummary[] {
  const end = chosen.offset_ns + chosen.duration_ns;
  const all = traces.filter(
    ({ id, is_held, offset_ns, duration_ns }) =>
      id === chosen.id || (is_held && offset_ns <= end && offset_ns + duration_ns >= chosen.offset_ns),
  );
  return all.length > mostTogether || all.length === 0 ? [chosen] : all;
}

const events = (traces: readonly TraceSummary[]): number => traces.reduce((sum, each) => sum + each.events, 0);

type Loaded =
  | { readonly state: "waiting" }
  | { readonly state: "failed"; readonly sentence: string }
  | { readonly state: "ready"; readonly key: string; readonly parts: readonly TracePart[] };

function useParts(traces: readonly TraceSummary[]): Loaded {
  const [loaded, setLoaded] = useState<Loaded>({ state: "waiting" });
  const key = `${generation.value} ${traces.map(({ id }) => id).join(" ")}`;
  useEffect(() => {
    const cancel = new AbortController();
    void Promise.all(traces.map(({ id }) => ask("timeline", { trace: id }, cancel.signal))).then((answers) => {
      if (cancel.signal.aborted) return;
      const failed = answers.find((answer) => !answer.ok);
      if (failed !== undefined && !failed.ok) return setLoaded({ state: "failed", sentence: failed.sentence });
      const timelines = answers.flatMap((answer): Timeline[] => (answer.ok ? [answer.value] : []));
      const parts = traces.map((summary, i) => ({ summary, timeline: timelines[i]! }));
      setLoaded({ state: "ready", key, parts });
    });
    return () => cancel.abort();
  }, [key]);
  return loaded.state === "ready" && loaded.key !== key ? { state: "waiting" } : loaded;
}

interface StageProps {
  readonly parts: readonly TracePart[];
  readonly trace: TraceSummary;
  readonly kinds: readonly string[];
  readonly isScrolledTo: boolean; // the trace was chosen just now, so it should be seen
  readonly together:
    { readonly isAlone: boolean; readonly title: string; readonly onChange: (isAlone: boolean) => void } | undefined;
}

function Stage({ parts, trace, kinds, isScrolledTo, together }: StageProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [stage, setStage] = useState<TimelineStage | undefined>(undefined);
  const hover = useMemo(makeHover, []);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    let made: TimelineStage | undefined = undefined;
    const store = new TimelineStore(parts, trace, () => made?.redraw());
    made = new TimelineStage(element, store, kinds);
    const stops = [
      watchSize(element, made),
      keepAddress(made),
      listenToHands({ canvas: element, stage: made, hover: hover.follow(made) }),
      listenToKeys(made),
      showToTests(made),
    ];
    if (isScrolledTo) made.scrollToTrace(trace.id);
    setStage(made);
    return () => {
      for (const stop of stops) stop();
      made.close();
    };
  }, [parts]);
  return (
    <div class="timeline">
      {stage !== undefined && <TimelineBar stage={stage} together={together} />}
      <div class="timeline-body">
        <div class="timeline-names">{stage !== undefined && <TimelineNames stage={stage} />}</div>
        <div class="timeline-canvas">
          <canvas
            ref={canvas}
            tabIndex={0}
            role="application"
            aria-label="Timeline. W, A, S and D move, arrow keys go from slice to slice, the question mark lists all keys."
          />
          <TimelineTip hover={hover} />
        </div>
        {stage !== undefined && <TimelinePanel stage={stage} />}
      </div>
    </div>
  );
}

// The canvas is as large as its place, and is drawn anew when the theme changes.
function watchSize(canvas: HTMLCanvasElement, stage: TimelineStage): () => void {
  const place = canvas.parentElement ?? canvas;
  const fit = (): void => {
    const { width, height } = place.getBoundingClientRect();
    stage.resize(Math.floor(width), Math.floor(height), devicePixelRatio);
  };
  const observer = new ResizeObserver(fit);
  observer.observe(place);
  const stopTheme = host.theme.subscribe(() => requestAnimationFrame(fit));
  return () => {
    observer.disconnect();
    stopTheme();
  };
}
