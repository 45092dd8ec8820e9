// How the editor looks: every colour is one of the page's.
import { HighlightStyle } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

export const words = HighlightStyle.define([
  {
    tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.definitionKeyword, tags.moduleKeyword],
    color: "var(--code-keyword)",
  },
  {
    tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className), tags.className],
    color: "var(--code-name)",
  },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: [tags.comment, tags.docString], color: "var(--dim)", fontStyle: "italic" },
  { tag: tags.meta, color: "var(--code-name)" },
]);

export const theme = EditorView.theme({
  "&": { height: "100%", fontSize: "12.5px", backgroundColor: "transparent", color: "var(--fg)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "21px", overflow: "auto" },
  ".cm-content": { padding: "6px 0", caretColor: "var(--accent)" },
  ".cm-line": { padding: "0 12px 0 6px" },
  ".cm-gutters": { backgroundColor: "var(--bg)", color: "var(--dim)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "36px", padding: "0 8px 0 6px", fontFamily: "var(--font)" },
  ".bars-gutter": { width: "66px" },
  ".bars": { position: "relative", height: "21px" },
  ".bars i": { position: "absolute", left: "0", borderRadius: "1px" },
  ".bars .reach": { top: "5px", height: "9px", boxSizing: "border-box", border: "1px solid var(--forward)" },
  ".bars .time": { top: "5px", height: "9px", backgroundColor: "var(--forward)" },
  ".bars .bytes": { top: "15px", height: "3px", backgroundColor: "var(--activations)" },
  ".bars.is-outside i": { backgroundColor: "var(--other)", opacity: "0.6" },
  ".bars.is-outside .reach": { backgroundColor: "transparent", borderColor: "var(--other)" },
  // Over the code: long lines run below it, and only lines that cost something lose their end.
  ".cm-gutters-after": {
    width: "0",
    overflow: "visible",
    position: "sticky",
    right: "0",
    pointerEvents: "none",
    backgroundColor: "transparent",
  },
  ".text-gutter": {
    position: "absolute",
    right: "0",
    whiteSpace: "nowrap",
    fontFamily: "var(--font)",
    fontSize: "var(--size-small)",
  },
  ".text-gutter .cm-gutterElement": { display: "flex", justifyContent: "flex-end" },
  ".text-gutter span": { padding: "0 12px 0 8px", backgroundColor: "var(--bg)" },
  ".cm-cursor": { borderLeftColor: "transparent" },
  "&.cm-focused .cm-cursor": { borderLeftColor: "var(--accent)" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    backgroundColor: "var(--selected)",
  },
  ".lit": { backgroundColor: "color-mix(in srgb, var(--highlight) 55%, transparent)" },
  ".lit-strong": { backgroundColor: "var(--highlight)" },
  ".cm-line.lit-strong": { boxShadow: "inset 2px 0 0 var(--accent)" },
  ".text-gutter .lit": { backgroundColor: "transparent" },
  ".text-gutter .lit span": { backgroundColor: "color-mix(in srgb, var(--highlight) 55%, var(--bg))" },
  ".text-gutter .lit-strong span": { backgroundColor: "var(--highlight)" },
  ".cm-specialChar": { color: "var(--bad)" },
  ".literal": { backgroundColor: "var(--accent)", color: "var(--on-accent)", borderRadius: "3px", padding: "0 4px" },
  ".note": { fontFamily: "var(--font)", fontSize: "var(--size-small)", marginLeft: "18px", color: "var(--dim)" },
  ".note.error": {
    display: "block",
    margin: "0",
    padding: "2px 12px 4px 22px",
    color: "var(--bad)",
    lineHeight: "17px",
    whiteSpace: "normal",
  },
  ".error-line": {
    backgroundColor: "color-mix(in srgb, var(--bad) 12%, transparent)",
    boxShadow: "inset 2px 0 0 var(--bad)",
  },
});
