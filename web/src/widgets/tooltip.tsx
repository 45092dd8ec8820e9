// Definitions on hover and focus. Anything with data-tip="…" has one; what is drawn on a canvas calls showTip. The
// first line of several is its title.
import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import "./tooltip.css";

interface Tip {
  readonly text: string;
  readonly x: number; // what it points at, in the window
  readonly y: number;
  readonly height: number;
}

const tip = signal<Tip | undefined>(undefined);
const gap = 8;
let described: Element | undefined; // what a reader is told the text belongs to

export function showTip(text: string, x: number, y: number): void {
  tip.value = { text, x: x + 12, y, height: 16 };
}

export function hideTip(): void {
  tip.value = undefined;
  described?.removeAttribute("aria-describedby");
  described = undefined;
}

/** Text for data-tip: a title, then lines. Missing ones are left out. */
export function tipText(title: string, ...lines: readonly (string | undefined)[]): string {
  return [title, ...lines.filter((line) => line !== undefined && line !== "")].join("\n");
}

function showFor(element: Element): void {
  const text = element.getAttribute("data-tip") ?? "";
  const box = element.getBoundingClientRect();
  if (text === "") return;
  hideTip();
  tip.value = { text, x: box.left, y: box.top, height: box.height };
  element.setAttribute("aria-describedby", "tooltip");
  described = element;
}

function closest(event: Event): Element | undefined {
  return (event.target instanceof Element ? event.target.closest("[data-tip]") : undefined) ?? undefined;
}

/** One for the whole page. */
export function Tooltip() {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const onOver = (event: Event): void => {
      const element = closest(event);
      if (element !== undefined) showFor(element);
      else if (!(event.target instanceof HTMLCanvasElement)) hideTip();
    };
    const onFocus = (event: Event): void => {
      const element = closest(event);
      if (element?.matches(":focus-visible") === true) showFor(element);
    };
    const events: readonly [string, (event: Event) => void][] = [
      ["pointerover", onOver],
      ["focusin", onFocus],
      ["focusout", hideTip],
      ["scroll", hideTip],
      ["pointerdown", hideTip],
      ["keydown", hideTip],
    ];
    for (const [name, handler] of events) document.addEventListener(name, handler, true);
    document.documentElement.addEventListener("pointerleave", hideTip);
    return () => {
      for (const [name, handler] of events) document.removeEventListener(name, handler, true);
      document.documentElement.removeEventListener("pointerleave", hideTip);
    };
  }, []);
  const shown = tip.value;
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || shown === undefined) return;
    const { width, height } = element.getBoundingClientRect();
    const below = shown.y + shown.height + gap;
    const fits = below + height < innerHeight;
    element.style.left = `${Math.max(gap, Math.min(shown.x, innerWidth - width - gap))}px`;
    element.style.top = `${fits ? below : Math.max(gap, shown.y - height - gap)}px`;
  }, [shown]);
  if (shown === undefined) return undefined;
  const [title = "", ...lines] = shown.text.split("\n");
  return (
    <div class="tooltip" id="tooltip" role="tooltip" ref={box}>
      {lines.length > 0 ? <b>{title}</b> : title}
      {lines.map((line) => (
        <div>{line}</div>
      ))}
    </div>
  );
}
