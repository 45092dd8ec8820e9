// The source files that a trace brings along, with what their lines cost in one step.
import type { Breakdown, MemoryPeak, SourceFile, TraceSummary } from "@protocol/messages";
import { signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { numberParam, paramOf, setParams } from "../../base/url_state";
import { ask, shownOf, useAnswer } from "../../model/answers";
import { chosenStep } from "../../model/app";
import { type FileCosts, fileCosts, lineMarks } from "../../model/breakdown/lines";
import type { Focus } from "../../model/breakdown/links";
import { focusOfLine } from "../../model/breakdown/pointing";
import { fileName, sumOf } from "../../model/breakdown/tree";
import type { TraceViewProps } from "../../model/view_def";
import { Answered, Empty } from "../../widgets/answer";
import { LineLegend } from "../../widgets/line_legend";
import { SourcePane } from "../../widgets/source_pane";
import { hideTip, showTip, tipText } from "../../widgets/tooltip";
import { costLines } from "./costs";
import "./source.css";

export function View({ trace, hello }: TraceViewProps) {
  const sources = useAnswer("sources", { trace: trace.id });
  const step = chosenStep.value === undefined ? {} : { step: chosenStep.value };
  const breakdown = shownOf(useAnswer("breakdown", { trace: trace.id, ...step }));
  const memory = shownOf(useAnswer("memory_peak", { trace: trace.id, ...step }));
  return (
    <Answered answer={sources} phase="Looking for source files">
      {({ files }) => (
        <Files
          trace={trace}
          files={files}
          breakdown={breakdown}
          memory={memory}
          phases={hello.phases.map(({ name }) => name)}
        />
      )}
    </Answered>
  );
}

interface FilesProps {
  readonly trace: TraceSummary;
  readonly files: readonly SourceFile[];
  readonly breakdown: Breakdown | undefined;
  readonly memory: MemoryPeak | undefined;
  readonly phases: readonly string[];
}

function Files({ trace, files, breakdown, memory, phases }: FilesProps) {
  const clock = breakdown?.has_device === true ? "device" : "host";
  const costs = useMemo(() => fileCosts(breakdown, memory, clock), [breakdown, memory, clock]);
  const focus = useMemo(() => signal<Focus | undefined>(undefined), []);
  const shown = chosenFile(files, costs);
  const cost = costs.find(({ path }) => path === shown);
  const wholes = { time: sumOf(breakdown?.modules[0]?.total[clock] ?? []), bytes: memory?.peak_bytes ?? 0 };
  const marks = useMemo(() => lineMarks(cost, undefined, wholes), [cost, wholes.time, wholes.bytes]);
  const line = numberParam("line");
  if (files.length === 0 && shown === "") {
    return (
      <Empty
        title="No source files"
        sentence="This trace names no files of a program. Record with `skyline run`, which keeps them, or with torch.profiler's with_stack=True and open it with --source-root FOLDER."
      />
    );
  }
  const named = (path: string) => ({ path, name: files.find((file) => file.path === path)?.name ?? fileName(path) });
  const tabs = [...new Set([...costs.map(({ path }) => path), ...(shown === "" ? [] : [shown])])];
  return (
    <div class="source-view">
      <SourcePane
        tabs={tabs.map(named)}
        others={files.filter(({ path, has_text }) => has_text && !tabs.includes(path))}
        path={shown}
        caption={breakdown === undefined ? "" : <LineLegend time={`${clock} time`} />}
        onPath={(path) => setParams({ path, line: "" })}
        code={{
          path: shown,
          load: (path) => ask("source", { trace: trace.id, path }),
          version: 0,
          marks,
          focus,
          preview: undefined,
          error: undefined,
          reveal: line === undefined ? undefined : { line, count: 0 },
          onLine: (at, box) => {
            const known = at === undefined ? undefined : cost?.lines.get(at);
            focus.value = at === undefined || known === undefined ? undefined : focusOfLine(shown, at);
            if (known === undefined || box === undefined) return hideTip();
            const [title, ...lines] = costLines(known, wholes, phases);
            showTip(tipText(title ?? "", ...lines), box.left + 110, box.bottom - 10);
          },
        }}
      />
    </div>
  );
}

// The one in the address; else where the most time is spent; else any.
function chosenFile(files: readonly SourceFile[], costs: readonly FileCosts[]): string {
  const wanted = paramOf("path");
  // Tables name files as frames do; a link may hold the short name.
  const found = files.find(({ path, name }) => path === wanted || name === wanted);
  if (wanted !== "") return found?.path ?? wanted;
  return costs[0]?.path ?? files.find(({ has_text }) => has_text)?.path ?? "";
}
