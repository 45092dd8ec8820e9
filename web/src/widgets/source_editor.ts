// The editor inside the source pane. All of CodeMirror is behind this file, which is loaded when code is first shown.
//
// It stands in a shadow tree: there CodeMirror gives its styles to the tree itself, which the page's policy allows,
// while style elements in the document are forbidden. Colours come in through the page's variables.
import { python } from "@codemirror/lang-python";
import { syntaxHighlighting } from "@codemirror/language";
import { EditorState, RangeSet, type Range, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  gutter,
  gutterLineClass,
  GutterMarker,
  highlightSpecialChars,
  lineNumbers,
  WidgetType,
} from "@codemirror/view";
import { invisibleInLines, printable, printableLines } from "../base/printable";
import type { LineMark } from "../model/breakdown/lines";
import { theme, words } from "./source_editor_theme";

/** Another text instead of a piece of a line; columns are UTF-16 units from 0. */
export interface Preview {
  readonly line: number;
  readonly begin: number;
  readonly end: number;
  readonly oldText: string;
  readonly newText: string;
}

export interface ErrorLine {
  readonly line: number;
  readonly sentence: string;
}

export interface SourceEditor {
  setText(text: string): void;
  setMarks(marks: readonly LineMark[]): void;
  setPreview(preview: Preview | undefined): void;
  setError(error: ErrorLine | undefined): void;
  /** Lines that belong to what is pointed at; `strong` is the one that calls it. */
  setLit(lines: readonly number[], strong: number | undefined): void;
  reveal(line: number): void;
  destroy(): void;
}

export interface EditorEvents {
  /** A line is pointed at, or the cursor moved there; undefined: the pointer left. */
  readonly onLine: (line: number | undefined, box: DOMRect | undefined) => void;
}

class BarsMarker extends GutterMarker {
  constructor(private readonly mark: LineMark) {
    super();
  }
  override eq(other: BarsMarker): boolean {
    return same(this.mark, other.mark);
  }
  override toDOM(): Node {
    const bars = document.createElement("div");
    bars.className = this.mark.isOutside ? "bars is-outside" : "bars";
    for (const [name, share] of [
      ["reach", this.mark.reach],
      ["time", this.mark.time],
      ["bytes", this.mark.bytes],
    ] as const) {
      if (share <= 0) continue;
      const bar = bars.appendChild(document.createElement("i"));
      bar.className = name;
      bar.style.width = `${Math.max(2, share * 60)}px`;
    }
    return bars;
  }
}

class TextMarker extends GutterMarker {
  constructor(private readonly mark: LineMark) {
    super();
  }
  override eq(other: TextMarker): boolean {
    return same(this.mark, other.mark);
  }
  override toDOM(): Node {
    const text = document.createElement("span");
    text.textContent = this.mark.text;
    return text;
  }
}

function same(a: LineMark, b: LineMark): boolean {
  return (
    a.time === b.time && a.reach === b.reach && a.bytes === b.bytes && a.text === b.text && a.isOutside === b.isOutside
  );
}

class PreviewWidget extends WidgetType {
  constructor(private readonly preview: Preview) {
    super();
  }
  override eq(other: PreviewWidget): boolean {
    return this.preview.newText === other.preview.newText && this.preview.oldText === other.preview.oldText;
  }
  override toDOM(): HTMLElement {
    const literal = document.createElement("span");
    literal.className = "literal";
    literal.textContent = this.preview.newText;
    literal.title = `A preview; the file still says ${this.preview.oldText}`;
    return literal;
  }
}

class NoteWidget extends WidgetType {
  constructor(
    private readonly text: string,
    private readonly kind: string,
  ) {
    super();
  }
  override eq(other: NoteWidget): boolean {
    return this.text === other.text && this.kind === other.kind;
  }
  override toDOM(): HTMLElement {
    const note = document.createElement("span");
    note.className = `note ${this.kind}`;
    note.textContent = printableLines(this.text);
    return note;
  }
}

interface Marks {
  readonly bars: RangeSet<GutterMarker>;
  readonly texts: RangeSet<GutterMarker>;
}
const noMarks: Marks = { bars: RangeSet.empty, texts: RangeSet.empty };

const marksEffect = StateEffect.define<readonly LineMark[]>();
const previewEffect = StateEffect.define<Preview | undefined>();
const errorEffect = StateEffect.define<ErrorLine | undefined>();
const litEffect = StateEffect.define<{ readonly lines: readonly number[]; readonly strong: number | undefined }>();

const marksField = StateField.define<Marks>({
  create: () => noMarks,
  update(marks, { effects, state }) {
    for (const effect of effects) {
      if (!effect.is(marksEffect)) continue;
      const shown = effect.value.filter(({ line }) => line >= 1 && line <= state.doc.lines);
      const place = (make: (mark: LineMark) => GutterMarker): RangeSet<GutterMarker> =>
        RangeSet.of(shown.map((mark) => make(mark).range(state.doc.line(mark.line).from)));
      return { bars: place((mark) => new BarsMarker(mark)), texts: place((mark) => new TextMarker(mark)) };
    }
    return marks;
  },
});

function decorations<T>(
  effectType: { of(value: T): StateEffect<T> } & ReturnType<typeof StateEffect.define<T>>,
  make: (state: EditorState, value: T) => Range<Decoration>[],
): StateField<DecorationSet> {
  return StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(set, { effects, state, docChanged }) {
      let next = docChanged ? Decoration.none : set;
      for (const effect of effects) if (effect.is(effectType)) next = Decoration.set(make(state, effect.value), true);
      return next;
    },
    provide: (field) => EditorView.decorations.from(field),
  });
}

const previewField = decorations<Preview | undefined>(previewEffect, (state, preview) => {
  if (preview === undefined || preview.line < 1 || preview.line > state.doc.lines) return [];
  const line = state.doc.line(preview.line);
  if (line.text.slice(preview.begin, preview.end) !== preview.oldText) return []; // the file is not what was profiled
  return [
    Decoration.replace({ widget: new PreviewWidget(preview) }).range(
      line.from + preview.begin,
      line.from + preview.end,
    ),
    Decoration.widget({ widget: new NoteWidget(`was ${preview.oldText}`, "was"), side: 1 }).range(line.to),
  ];
});

const errorField = decorations<ErrorLine | undefined>(errorEffect, (state, error) => {
  if (error === undefined || error.line < 1 || error.line > state.doc.lines) return [];
  const line = state.doc.line(error.line);
  return [
    Decoration.line({ class: "error-line" }).range(line.from),
    Decoration.widget({ widget: new NoteWidget(error.sentence, "error"), side: 1, block: true }).range(line.to),
  ];
});

const litField = decorations<{ readonly lines: readonly number[]; readonly strong: number | undefined }>(
  litEffect,
  (state, { lines, strong }) =>
    lines
      .filter((line) => line >= 1 && line <= state.doc.lines)
      .map((line) =>
        Decoration.line({ class: line === strong ? "lit lit-strong" : "lit" }).range(state.doc.line(line).from),
      ),
);

class LitMarker extends GutterMarker {
  override readonly elementClass: string;
  constructor(isStrong: boolean) {
    super();
    this.elementClass = isStrong ? "lit lit-strong" : "lit";
  }
}
const litMarker = new LitMarker(false);
const strongMarker = new LitMarker(true);

// The same lines in the gutters.
const litGutter = StateField.define<RangeSet<GutterMarker>>({
  create: () => RangeSet.empty,
  update(set, { effects, state, docChanged }) {
    let next = docChanged ? RangeSet.empty : set;
    for (const effect of effects) {
      if (!effect.is(litEffect)) continue;
      const { lines, strong } = effect.value;
      const shown = lines.filter((line) => line >= 1 && line <= state.doc.lines).sort((a, b) => a - b);
      next = RangeSet.of(
        shown.map((line) => (line === strong ? strongMarker : litMarker).range(state.doc.line(line).from)),
      );
    }
    return next;
  },
  provide: (field) => gutterLineClass.from(field),
});

function showInvisible(code: number, description: string | null): HTMLElement {
  const shown = document.createElement("span");
  shown.className = "cm-specialChar";
  shown.textContent = printable(String.fromCodePoint(code));
  shown.title = description ?? "a character that cannot be seen";
  return shown;
}

export function makeEditor(parent: HTMLElement, label: string, events: EditorEvents): SourceEditor {
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: "open" });
  let lastLine: number | undefined;
  const point = (view: EditorView, line: number | undefined): void => {
    if (line === lastLine) return;
    lastLine = line;
    if (line === undefined) return events.onLine(undefined, undefined);
    const block = view.lineBlockAt(view.state.doc.line(line).from);
    const box = view.scrollDOM.getBoundingClientRect();
    events.onLine(line, new DOMRect(box.left, view.documentTop + block.top, box.width, block.height));
  };
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      extensions: [
        lineNumbers(),
        gutter({ class: "bars-gutter", markers: ({ state }) => state.field(marksField).bars }),
        gutter({ class: "text-gutter", side: "after", markers: ({ state }) => state.field(marksField).texts }),
        marksField,
        previewField,
        errorField,
        litField,
        litGutter,
        highlightSpecialChars({ specialChars: invisibleInLines, render: showInvisible }),
        python(),
        syntaxHighlighting(words),
        theme,
        EditorState.readOnly.of(true),
        EditorView.contentAttributes.of({ "aria-label": label, "aria-readonly": "true" }),
        EditorView.updateListener.of((update) => {
          if (update.selectionSet && update.view.hasFocus) {
            point(update.view, update.state.doc.lineAt(update.state.selection.main.head).number);
          }
        }),
      ],
    }),
  });
  view.scrollDOM.addEventListener("pointermove", ({ clientY }) => {
    const block = view.lineBlockAtHeight(clientY - view.documentTop);
    const isInside = clientY >= view.documentTop && clientY < view.documentTop + view.contentHeight;
    point(view, isInside ? view.state.doc.lineAt(block.from).number : undefined);
  });
  view.scrollDOM.addEventListener("pointerleave", () => point(view, undefined));
  return {
    setText: (text) => {
      if (text === view.state.doc.toString()) return;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    setMarks: (marks) => view.dispatch({ effects: marksEffect.of(marks) }),
    setPreview: (preview) => view.dispatch({ effects: previewEffect.of(preview) }),
    setError: (error) => view.dispatch({ effects: errorEffect.of(error) }),
    setLit: (lines, strong) => view.dispatch({ effects: litEffect.of({ lines, strong }) }),
    reveal: (line) => {
      const at = view.state.doc.line(Math.max(1, Math.min(view.state.doc.lines, line)));
      view.dispatch({ selection: { anchor: at.from } });
      // Not CodeMirror's own way, which would scroll the page around the pane as well. Heights of lines that were never
      // drawn are estimates, so it looks once more when they are.
      const center = (): void => {
        const block = view.lineBlockAt(at.from);
        view.scrollDOM.scrollTop = block.top - (view.scrollDOM.clientHeight - block.height) / 2;
      };
      view.requestMeasure({ key: center, read: () => undefined, write: center });
      center();
    },
    destroy: () => view.destroy(),
  };
}
