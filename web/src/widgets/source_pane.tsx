// Code with what each line costs beside it. Used by the session, where the batch size can be previewed in it, and by
// recordings, which bring their sources along.
import type { Source } from "@protocol/messages";
import type { ReadonlySignal } from "@preact/signals";
import { useSignalEffect } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { busy } from "../base/idle";
import type { Result } from "../base/result";
import type { LineMark } from "../model/breakdown/lines";
import type { Focus } from "../model/breakdown/links";
import { placeOf } from "../model/breakdown/pointing";
import { fileName } from "../model/breakdown/tree";
import type { ErrorLine, Preview, SourceEditor } from "./source_editor";
import "./source_pane.css";

export interface PaneFile {
  readonly path: string;
  readonly name: string;
}

export interface Reveal {
  readonly line: number;
  readonly count: number; // the same line may be asked for again
}

export interface SourcePaneProps {
  readonly tabs: readonly PaneFile[]; // files with data
  readonly others: readonly PaneFile[]; // files without
  readonly path: string;
  readonly caption: ComponentChildren;
  readonly onPath: (path: string) => void;
  readonly code: CodeProps;
}

export function SourcePane({ tabs, others, path, caption, onPath, code }: SourcePaneProps) {
  return (
    <section class="source" aria-label="Source">
      <div class="source-head">
        <div class="source-tabs" role="tablist" aria-label="Files">
          {tabs.map((file) => (
            <button
              key={file.path}
              type="button"
              role="tab"
              class="plain"
              aria-selected={file.path === path}
              data-tip={file.path}
              onClick={() => onPath(file.path)}
            >
              {file.name}
            </button>
          ))}
          {others.length > 0 && (
            <select
              aria-label="Other files"
              value={others.some((file) => file.path === path) ? path : ""}
              onChange={(event) => event.currentTarget.value !== "" && onPath(event.currentTarget.value)}
            >
              <option value="">{tabs.length === 0 ? "files …" : "other files …"}</option>
              {others.map((file) => (
                <option key={file.path} value={file.path}>
                  {file.name}
                </option>
              ))}
            </select>
          )}
        </div>
        <span class="source-caption dim">{caption}</span>
      </div>
      <Code {...code} />
    </section>
  );
}

export interface CodeProps {
  readonly path: string; // empty: there is none to show
  readonly load: (path: string) => Promise<Result<Source>>;
  readonly version: number; // changes when the file may have
  readonly marks: readonly LineMark[];
  readonly focus: ReadonlySignal<Focus | undefined>;
  readonly preview: Preview | undefined;
  readonly error: ErrorLine | undefined;
  readonly reveal: Reveal | undefined;
  readonly onLine: (line: number | undefined, box: DOMRect | undefined) => void;
}

type Shown = { readonly path: string; readonly result: Result<Source> };

/** One file. */
export function Code(props: CodeProps) {
  const place = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<SourceEditor | undefined>(undefined);
  const [shown, setShown] = useState<Shown | undefined>(undefined);
  const newest = useRef(props);
  newest.current = props;

  useEffect(() => {
    let made: SourceEditor | undefined;
    let isOver = false;
    void busy(import("./source_editor")).then(({ makeEditor }) => {
      const parent = place.current;
      if (isOver || parent === null) return;
      made = makeEditor(parent, "Code", { onLine: (line, box) => newest.current.onLine(line, box) });
      setEditor(made);
    });
    return () => {
      isOver = true;
      made?.destroy();
    };
  }, []);
  useEffect(() => {
    if (props.path === "") return;
    let isOver = false;
    void props.load(props.path).then((result) => !isOver && setShown({ path: props.path, result }));
    return () => {
      isOver = true;
    };
  }, [props.path, props.version]);

  const isShown = shown !== undefined && shown.path === props.path && shown.result.ok;
  const text = isShown && shown.result.ok ? shown.result.value.text : undefined;
  const note = isShown && shown.result.ok ? shown.result.value.note : undefined;
  useEffect(() => {
    if (text !== undefined) editor?.setText(text);
  }, [editor, text]);
  // The line that is wrong has something else to say.
  const marks = useMemo(
    () => props.marks.filter(({ line }) => line !== props.error?.line),
    [props.marks, props.error?.line],
  );
  useEffect(() => editor?.setMarks(text === undefined ? [] : marks), [editor, text, marks]);
  useEffect(
    () => editor?.setError(text === undefined ? undefined : props.error),
    [editor, text, props.error?.line, props.error?.sentence],
  );
  useEffect(
    () => editor?.setPreview(text === undefined ? undefined : props.preview),
    [editor, text, props.preview?.newText, props.preview?.line],
  );
  useEffect(() => {
    if (text !== undefined && props.reveal !== undefined) editor?.reveal(props.reveal.line);
  }, [editor, text === undefined, props.path, props.reveal?.line, props.reveal?.count]);
  useSignalEffect(() => {
    const focus = props.focus.value;
    const { path } = newest.current;
    if (editor === undefined) return;
    const lines = [...(focus?.lines.keys() ?? [])].flatMap((key) => lineIn(key, path));
    editor.setLit(lines, focus?.place === undefined ? undefined : lineIn(focus.place, path)[0]);
  });

  return (
    <div class="source-code" data-path={props.path} data-has-text={isShown}>
      {note !== undefined && (
        <p class="source-note" role="note">
          {note}
        </p>
      )}
      <div class="source-place" ref={place} hidden={!isShown} />
      {!isShown && <Instead path={props.path} shown={shown} />}
    </div>
  );
}

function lineIn(key: string, path: string): number[] {
  const place = placeOf(key);
  return place.path === path ? [place.line] : [];
}

function Instead({ path, shown }: { readonly path: string; readonly shown: Shown | undefined }) {
  if (path === "") return <p class="source-instead dim">No file is open.</p>;
  if (shown?.path !== path) return <p class="source-instead dim">Reading {fileName(path)} …</p>;
  return <p class="source-instead dim">{shown.result.ok ? "" : shown.result.sentence}</p>;
}
