// Whatever the page shows passes here: texts of elements, and attributes that are read to people. So no view has to
// remember that a name may hold characters that turn the text around it. Canvases draw for themselves and call
// printable().
import { Fragment, options, type VNode } from "preact";
import { printableLines } from "./printable";

const readAttributes: readonly string[] = [
  "title",
  "alt",
  "placeholder",
  "aria-label",
  "aria-description",
  "aria-valuetext",
];

function shown(child: unknown): unknown {
  if (typeof child === "string") return printableLines(child);
  return Array.isArray(child) ? child.map(shown) : child;
}

function makeShown({ type, props }: VNode): void {
  if (typeof type !== "string" && type !== Fragment) return; // a component passes it on to elements
  const changing = props as Record<string, unknown>;
  if (changing["children"] !== undefined) changing["children"] = shown(changing["children"]);
  for (const name of readAttributes) {
    if (typeof changing[name] === "string") changing[name] = shown(changing[name]);
  }
}

/** To be called before anything is rendered. */
export function showPrintableNodes(): void {
  const next = options.vnode;
  options.vnode = (vnode) => {
    makeShown(vnode);
    next?.(vnode);
  };
}
