// A stacked column: segments as high as what they stand for, labels beside them that never overlap. Pointing at one,
// with a pointer or the keyboard, tells the others; answering that touches only styles of what is already drawn.
import type { ReadonlySignal } from "@preact/signals";
import { useSignalEffect } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { colorOf } from "../../base/roles";
import { placeLabels } from "./model/labels";
import { gather, type Segment, sumOf } from "../../model/breakdown/tree";
import "./stack_column.css";

export interface StackColumnProps {
  readonly name: string; // "Run time"
  readonly id: string;
  readonly segments: readonly Segment[];
  readonly format: (segment: Segment, whole: number) => string;
  readonly describe: (segment: Segment) => string; // for screen readers
  readonly isMoreOpen: boolean; // only what is too small is shown
  readonly focus: ReadonlySignal<unknown>;
  /** How much of a segment is what is pointed at; undefined: leave it as it is. */
  readonly shareOf: (segment: Segment) => number | undefined;
  readonly isPointed: (segment: Segment) => boolean;
  readonly onPoint: (segment: Segment | undefined, element: Element | undefined) => void;
  readonly onPick: (segment: Segment) => void;
  readonly onOpen: (segment: Segment) => void;
  readonly onUp: () => void;
  readonly empty: ComponentChildren;
}

const leastHeight = 5; // px; what would be lower is gathered
const labelHeight = 18;
const gap = 1;

/** Where the column that is drawn next comes from, so that opening a segment looks like coming nearer. */
interface Origin {
  readonly top: number;
  readonly height: number;
}

export function StackColumn(props: StackColumnProps) {
  const { segments, isMoreOpen } = props;
  const stack = useRef<HTMLDivElement>(null);
  const height = useHeight(stack);
  const origin = useRef<Origin | undefined>(undefined);
  const shown = useMemo(() => {
    const gathered = gather(segments, height > 0 ? leastHeight / height : 0);
    return isMoreOpen ? (gathered.find(({ kind }) => kind === "others")?.members ?? gathered) : gathered;
  }, [segments, height, isMoreOpen]);
  const whole = sumOf(shown.map(({ value }) => value));
  const heights = shown.map(({ value }) => (whole > 0 ? (value / whole) * height : 0));
  const spots = new Map(placeLabels(heights, labelHeight).map(({ index, top }) => [index, top]));
  const elements = useRef(new Map<string, HTMLElement>());

  useZoom(stack, origin, shown.map(({ key }) => key).join("\n"));
  useSignalEffect(() => {
    const isFocused = props.focus.value !== undefined;
    for (const segment of shown) {
      const element = elements.current.get(segment.key);
      if (element === undefined) continue;
      const share = isFocused ? props.shareOf(segment) : undefined;
      element.classList.toggle("is-faded", share === 0);
      element.classList.toggle("is-on", share !== undefined && share > 0);
      element.classList.toggle("is-pointed", isFocused && props.isPointed(segment));
      element.style.setProperty("--part", share === undefined ? "0" : String(share));
    }
  });

  const open = (segment: Segment): void => {
    if (!segment.canOpen) return;
    const index = shown.indexOf(segment);
    origin.current = { top: sumOf(heights.slice(0, index)), height: heights[index] ?? 0 };
    props.onPoint(undefined, undefined);
    props.onOpen(segment);
  };
  const onKeyDown = (event: KeyboardEvent, index: number): void => {
    const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: shown.length - 1 }[event.key];
    const segment = shown[index];
    if (next !== undefined)
      elements.current.get(shown[Math.max(0, Math.min(shown.length - 1, next))]?.key ?? "")?.focus();
    else if (event.key === "Enter" && segment !== undefined) open(segment);
    else if (event.key === " " && segment !== undefined) props.onPick(segment);
    else if (event.key === "Backspace") props.onUp();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  let top = 0;
  return (
    <div
      class="stack"
      ref={stack}
      role="listbox"
      aria-label={props.name}
      id={props.id}
      onPointerLeave={() => props.onPoint(undefined, undefined)}
    >
      {shown.length === 0 && <p class="stack-empty dim">{props.empty}</p>}
      {shown.map((segment, index) => {
        const mine = heights[index] ?? 0;
        const begin = top;
        top += mine;
        const spot = spots.get(index);
        return (
          <div
            key={segment.key}
            class="stack-segment"
            role="option"
            aria-selected="false"
            aria-label={props.describe(segment)}
            tabIndex={index === 0 ? 0 : -1}
            data-key={segment.key}
            data-kind={segment.kind}
            data-value={segment.value}
            ref={(element: HTMLElement | null) => {
              if (element === null) elements.current.delete(segment.key);
              else elements.current.set(segment.key, element);
            }}
            style={{ top: `${begin}px`, height: `${Math.max(1, mine - gap)}px` }}
            onPointerEnter={(event) => props.onPoint(segment, event.currentTarget)}
            onFocus={(event) => props.onPoint(segment, event.currentTarget)}
            onBlur={() => props.onPoint(undefined, undefined)}
            onClick={() => props.onPick(segment)}
            onDblClick={() => open(segment)}
            onKeyDown={(event) => onKeyDown(event, index)}
          >
            <Bar segment={segment} />
            {spot !== undefined && (
              <Label
                top={spot - begin}
                isShifted={spot + labelHeight / 2 < begin || spot + labelHeight / 2 > begin + mine}
                height={mine}
                segment={segment}
                text={props.format(segment, whole)}
                onOpen={() => open(segment)}
              />
            )}
          </div>
        );
      })}
    </div>
  );
}

function Bar({ segment }: { readonly segment: Segment }) {
  return (
    <div class="stack-bar">
      {segment.parts.map(({ word, value }) => (
        <i
          key={word}
          data-word={word}
          style={{ width: `${(value / segment.value) * 100}%`, background: colorOf(word) }}
        />
      ))}
      <b class="stack-part" />
    </div>
  );
}

interface LabelProps {
  readonly top: number;
  readonly height: number;
  readonly isShifted: boolean;
  readonly segment: Segment;
  readonly text: string;
  readonly onOpen: () => void;
}

function Label({ top, height, isShifted, segment, text, onOpen }: LabelProps) {
  // Of a line the number must be seen, whatever becomes of the file's name.
  const [, name = segment.label, tail] = /^(.*?)(:\d+.*)$/.exec(segment.label) ?? [];
  return (
    <span
      class={`stack-label${segment.canOpen ? " can-open" : ""}`}
      style={{ top: `${top}px` }}
      onClick={(event) => {
        if (!segment.canOpen || segment.kind === "place") return; // of a place, a click shows its line
        event.stopPropagation();
        onOpen();
      }}
    >
      {isShifted && (
        <svg class="stack-lead" aria-hidden="true" width="9" height="1" style={{ overflow: "visible" }}>
          <line x1="0" y1={height / 2 - top - 9} x2="9" y2="0" />
        </svg>
      )}
      <span class="stack-name">{name}</span>
      {tail !== undefined && <span class="stack-tail">{tail}</span>}
      {segment.canOpen && (
        <button
          type="button"
          class="plain stack-open"
          tabIndex={-1}
          aria-label={`Open ${segment.label}`}
          onClick={(event) => {
            event.stopPropagation();
            onOpen();
          }}
          onDblClick={(event) => event.stopPropagation()}
        >
          ›
        </button>
      )}
      <em>{text}</em>
    </span>
  );
}

function useHeight(stack: { readonly current: HTMLElement | null }): number {
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    const element = stack.current;
    if (element === null) return;
    const measure = (): void => setHeight(element.clientHeight);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return height;
}

// Comes from where the segment was that is now the whole; going up has no origin and simply appears.
function useZoom(
  stack: { readonly current: HTMLElement | null },
  origin: { current: Origin | undefined },
  what: string,
): void {
  useLayoutEffect(() => {
    const from = origin.current;
    const element = stack.current;
    origin.current = undefined;
    if (from === undefined || element === null || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const scale = from.height / Math.max(1, element.clientHeight);
    element.animate(
      [
        { transform: `translateY(${from.top}px) scaleY(${scale})`, opacity: 0.4 },
        { transform: "none", opacity: 1 },
      ],
      { duration: 150, easing: "ease-out" },
    );
  }, [what]);
}
