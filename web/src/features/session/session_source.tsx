// The source pane of the session: the project's files with what their lines cost, and a preview of the batch size
// that is wished for.
import type { Source } from "@protocol/messages";
import { computed, signal } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import { formatBytes, formatNs, formatShare } from "../../base/format";
import type { Result } from "../../base/result";
import { paramOf, setParams } from "../../base/url_state";
import { client } from "../../client/client";
import { host } from "../../model/page_host";
import { type LineCost, lineMarks, type Within } from "../../model/breakdown/lines";
import type { Focus } from "../../model/breakdown/links";
import { lineKey, roleLabel } from "../../model/breakdown/memory";
import { type CodePlace, focusOfLine } from "../../model/breakdown/pointing";
import { hello } from "../../model/app";
import { isOutdated } from "./model/state";
import {
  breakdown,
  clock,
  costs,
  crumbs,
  focus,
  memory,
  phases,
  result,
  session,
  shownPath,
  stage,
  wholePath,
  within,
} from "./model/store";
import { sumOf } from "../../model/breakdown/tree";
import { LineLegend } from "../../widgets/line_legend";
import type { ErrorLine, Preview } from "../../widgets/source_editor";
import { Code, type PaneFile, type Reveal, SourcePane } from "../../widgets/source_pane";
import { tip, TipTable } from "./tip";

const reveal = signal<Reveal | undefined>(undefined);

/** Shows a line: in the editor that the page runs in, or in the page's own pane. */
export function showLine({ path, line }: CodePlace): void {
  if (host.kind === "editor") {
    host.openFile(path, line);
    return;
  }
  setParams({ path: shownPath(path) }, "replace");
  reveal.value = { line, count: (reveal.peek()?.count ?? 0) + 1 };
}

// The file that is shown, if the user did not choose one: where the trouble is, or where the most time is spent.
const path = computed(() => {
  const chosen = paramOf("path");
  if (chosen !== "") return wholePath(chosen);
  const now = stage.value;
  if ("trouble" in now && now.trouble.path !== "") return now.trouble.path;
  // Before anything is known the files on the disk are.
  return costs.value[0]?.path ?? result.value?.literal?.path ?? hello.value?.session?.entry_point ?? "";
});

const wholes = computed(() => ({
  time: sumOf(breakdown.value?.modules[0]?.total[clock.value] ?? []),
  bytes: memory.value?.peak_bytes ?? 0,
}));

// Files may be new with every save, also with one that failed.
const version = computed(() => session.value.epoch * 1e6 + (session.value.state?.data.save ?? 0));

async function load(file: string): Promise<Result<Source>> {
  return client.request("source", { path: file });
}

function useProjectFiles(): readonly PaneFile[] {
  const [files, setFiles] = useState<readonly PaneFile[]>([]);
  useEffect(() => {
    void client.request("sources", {}).then((answer) => {
      if (answer.ok)
        setFiles(
          answer.value.files.filter(({ has_text }) => has_text).map((file) => ({ path: file.path, name: file.name })),
        );
    });
  }, [version.value]);
  return files;
}

function previewIn(file: string): Preview | undefined {
  const literal = result.value?.literal;
  const { wish } = session.value;
  if (literal === undefined || wish === undefined || literal.path !== file) return undefined;
  return {
    line: literal.line,
    begin: literal.begin_column,
    end: literal.end_column,
    oldText: String(literal.value),
    newText: String(wish.batchSize),
  };
}

function errorIn(file: string): ErrorLine | undefined {
  const now = stage.value;
  if (!("trouble" in now) || now.trouble.path !== file || now.trouble.line <= 0) return undefined;
  return { line: now.trouble.line, sentence: now.trouble.sentence };
}

export function SessionSource() {
  const files = useProjectFiles();
  const shown = path.value;
  const tabs = useMemo(() => tabsOf(files), [files, costs.value, result.value?.literal?.path, shown]);
  const others = files.filter((file) => !tabs.some((tab) => tab.path === file.path));
  const isOld = isOutdated(session.value);
  const marks = useMemo(
    () =>
      lineMarks(
        costs.value.find((each) => each.path === shown),
        within.value,
        wholes.value,
        isOld,
      ),
    [shown, costs.value, within.value, wholes.value, isOld],
  );
  const literal = result.value?.literal;
  const isElsewhere = literal !== undefined && literal.path !== shown && session.value.wish !== undefined;
  return (
    <div class="session-source">
      <SourcePane
        tabs={tabs}
        others={others}
        path={shown}
        caption={<LineLegend />}
        onPath={(chosen) => {
          reveal.value = undefined;
          setParams({ path: shownPath(chosen) }, "replace");
        }}
        code={{
          path: shown,
          load,
          version: version.value,
          marks,
          focus,
          preview: previewIn(shown),
          error: errorIn(shown),
          reveal: reveal.value ?? costliest(shown),
          onLine: (line, box) => pointAtLine(shown, line, box),
        }}
      />
      {isElsewhere && <Literal path={literal.path} line={literal.line} />}
    </div>
  );
}

// A file is first shown where it costs most.
function costliest(file: string): Reveal | undefined {
  const lines = [...(costs.value.find((each) => each.path === file)?.lines.values() ?? [])];
  const [first] = lines.sort((a, b) => b.ownTime - a.ownTime || b.bytes - a.bytes);
  return first === undefined ? undefined : { line: first.line, count: 0 };
}

function tabsOf(files: readonly PaneFile[]): PaneFile[] {
  const wanted = costs.value.map((file) => file.path);
  const literal = result.value?.literal?.path;
  for (const more of [literal, path.value])
    if (more !== undefined && more !== "" && !wanted.includes(more)) wanted.push(more);
  return wanted.map((each) => files.find((file) => file.path === each) ?? { path: each, name: shownPath(each) });
}

const noFocus = signal<Focus | undefined>(undefined);

// The literal that would change, when another file is shown.
function Literal({ path: file, line }: { readonly path: string; readonly line: number }) {
  const preview = previewIn(file);
  return (
    <section class="session-literal" aria-label="The batch size that would change">
      <div class="source-head">
        <b class="session-literal-name">{shownPath(file)}</b>
        <span class="source-caption dim">the batch size that would change</span>
      </div>
      <Code
        path={file}
        load={load}
        version={version.value}
        marks={[]}
        focus={noFocus}
        preview={preview}
        error={undefined}
        reveal={{ line, count: Number(preview?.newText ?? 0) }}
        onLine={() => undefined}
      />
    </section>
  );
}

function pointAtLine(file: string, line: number | undefined, box: DOMRect | undefined): void {
  const cost =
    line === undefined
      ? undefined
      : costs
          .peek()
          .find((each) => each.path === file)
          ?.lines.get(line);
  if (line === undefined || cost === undefined || box === undefined) {
    focus.value = undefined;
    tip.value = undefined;
    return;
  }
  focus.value = focusOfLine(file, line);
  tip.value = { box, side: "below", content: <LineTip cost={cost} scope={within.peek()} /> };
}

function LineTip({ cost, scope }: { readonly cost: LineCost; readonly scope: Within | undefined }) {
  const { time, bytes } = wholes.peek();
  const key = lineKey(cost);
  const scopeTime = scope?.time.get(key) ?? 0;
  const scopeBytes = scope?.bytes.get(key) ?? 0;
  const scopeName = crumbs.peek().at(-1)?.label ?? "";
  return (
    <TipTable
      title={`${shownPath(cost.file)}:${cost.line}`}
      detail={cost.function}
      rows={[
        ...(cost.time > 0
          ? [
              {
                name: "own time",
                value: `${formatNs(cost.ownTime)} · ${formatShare(time > 0 ? cost.ownTime / time : 0)}`,
              },
              {
                name: "with the lines it calls",
                value: `${formatNs(cost.time)} · ${formatShare(time > 0 ? cost.time / time : 0)}`,
              },
            ]
          : []),
        ...phases
          .peek()
          .flatMap(({ name }, i) =>
            (cost.phases[i] ?? 0) > 0
              ? [{ name: roleLabel(name), value: formatNs(cost.phases[i] ?? 0), word: name }]
              : [],
          ),
        ...(cost.bytes > 0
          ? [
              {
                name: "own memory at the peak",
                value: `${formatBytes(cost.bytes)} · ${formatShare(bytes > 0 ? cost.bytes / bytes : 0)}`,
              },
            ]
          : []),
        ...(cost.calls > 0 ? [{ name: "operators called", value: String(cost.calls) }] : []),
        ...(scope === undefined
          ? []
          : [
              {
                name: `time within ${scopeName}`,
                value: scopeTime > 0 ? `${formatNs(scopeTime)} · ${formatShare(scopeTime / scope.allTime)}` : "none",
              },
            ]),
        ...(scope === undefined || scopeBytes === 0
          ? []
          : [
              {
                name: `memory within ${scopeName}`,
                value: `${formatBytes(scopeBytes)} · ${formatShare(scopeBytes / scope.allBytes)}`,
              },
            ]),
      ]}
    />
  );
}
