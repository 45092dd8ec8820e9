// What is shown stands in the address: "#/kernels?trace=a&sort=calls". Back, forward, reload and a copied link
// therefore show the same again. Views keep what the user chose here, not in variables of their own.
import { computed, type ReadonlySignal, signal } from "@preact/signals";

export interface Route {
  readonly view: string; // empty: the first one
  readonly params: Readonly<Record<string, string>>;
}

/** "push" makes a step that Back returns from, "replace" does not: for what changes while a finger moves. */
export type HistoryStep = "push" | "replace";

export function parseHash(hash: string): Route {
  const text = hash.replace(/^#?\/?/, "");
  const cut = text.indexOf("?");
  const view = cut < 0 ? text : text.slice(0, cut);
  const query = cut < 0 ? "" : text.slice(cut + 1);
  return { view: decode(view), params: Object.fromEntries(new URLSearchParams(query)) };
}

export function formatHash(route: Route): string {
  const query = new URLSearchParams(
    Object.entries(route.params)
      .filter(([, value]) => value !== "")
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ).toString();
  return `#/${encodeURIComponent(route.view)}${query === "" ? "" : `?${query}`}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // an address typed by hand; it names no view and the page says so
  }
}

export const route = signal<Route>(parseHash(location.hash));

addEventListener("hashchange", readAddress);
addEventListener("popstate", readAddress);

function readAddress(): void {
  const next = parseHash(location.hash);
  if (formatHash(next) !== formatHash(route.value)) route.value = next;
}

function show(next: Route, step: HistoryStep): void {
  const hash = formatHash(next);
  if (hash === formatHash(route.value) && location.hash === hash) return;
  if (step === "push") history.pushState(undefined, "", hash);
  else history.replaceState(undefined, "", hash);
  route.value = next;
}

// What stays when another view is chosen.
const kept: readonly string[] = ["trace", "step"];

/** Shows another view; the chosen trace and step stay unless `params` says otherwise. */
export function go(view: string, params: Readonly<Record<string, string>> = {}, step: HistoryStep = "push"): void {
  show(linkTo(view, params), step);
}

/** The address that go() would show, for links. */
export function hrefOf(view: string, params: Readonly<Record<string, string>> = {}): string {
  return formatHash(linkTo(view, params));
}

function linkTo(view: string, params: Readonly<Record<string, string>>): Route {
  const before = Object.entries(route.value.params).filter(([name]) => kept.includes(name));
  return { view, params: { ...Object.fromEntries(before), ...params } };
}

/** Changes some params of the view that is shown; an empty text takes one away. */
export function setParams(params: Readonly<Record<string, string>>, step: HistoryStep = "push"): void {
  show({ view: route.value.view, params: withoutEmpty({ ...route.value.params, ...params }) }, step);
}

function withoutEmpty(params: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== ""));
}

/** One param as a signal; empty if it is not in the address. */
export function param(name: string): ReadonlySignal<string> {
  return computed(() => route.value.params[name] ?? "");
}

/** One param as it is now. Within a component, this makes it follow the address. */
export function paramOf(name: string): string {
  return route.value.params[name] ?? "";
}

/** A whole number from the address; undefined if there is none. */
export function numberParam(name: string): number | undefined {
  const text = paramOf(name);
  return /^-?\d+$/.test(text) ? Number(text) : undefined;
}
