// The session that this page shows: its data as signals, what of it is opened, and what the user may do to it.
import type { HistoryEntry, Output, SessionResult, Term } from "@protocol/messages";
import { computed, effect, signal } from "@preact/signals";
import { busy } from "../../../base/idle";
import { failure, type Result } from "../../../base/result";
import { paramOf, setParams } from "../../../base/url_state";
import { client } from "../../../client/client";
import { hello } from "../../../model/app";
import { host } from "../../../model/page_host";
import { fileCosts, withinLine, withinModule } from "../../../model/breakdown/lines";
import { type Focus, linkMaps } from "../../../model/breakdown/links";
import type { MemoryScope } from "../../../model/breakdown/memory";
import { outlookFor } from "./predict";
import { crumbsTo, findScope, scopeNames } from "./scope";
import { noSession, reduceSession, type SessionAction, stageOf } from "./state";
import { type Clock, levelAbove, type TreeKind } from "../../../model/breakdown/tree";

export const session = signal(noSession);
export const stage = computed(() => stageOf(session.value));

export function dispatch(action: SessionAction): void {
  session.value = reduceSession(session.peek(), action);
}

// ---- What is known. ---------------------------------------------------------------------------

export const result = computed<SessionResult | undefined>(() => session.value.result?.data);
export const breakdown = computed(() => session.value.breakdown?.data.breakdown);
export const memory = computed(() => session.value.memory?.data.memory);
export const history = computed<readonly HistoryEntry[]>(() => session.value.state?.data.history ?? []);
export const phases = computed<readonly Term[]>(() => hello.value?.phases ?? []);
export const roles = computed<readonly Term[]>(() => hello.value?.memory_roles ?? []);
export const phaseWords = computed(() => phases.value.map(({ name }) => name));

/** What the models say of the batch size that is wished for. */
export const outlook = computed(() => {
  const { wish } = session.value;
  const models = result.value?.models;
  return wish === undefined || models === undefined ? undefined : outlookFor(models, wish.batchSize);
});

/** A path as it is shown: from the project's folder on. */
export function shownPath(path: string): string {
  const folder = `${hello.value?.session?.project ?? ""}/`;
  return path.startsWith(folder) ? path.slice(folder.length) : path;
}

/** The same the other way round. */
export function wholePath(path: string): string {
  return path === "" || path.startsWith("/") ? path : `${hello.value?.session?.project ?? ""}/${path}`;
}

// ---- What is opened. --------------------------------------------------------------------------

export const by = computed<TreeKind>(() => (paramOf("by") === "lines" ? "lines" : "modules"));
export const clock = computed<Clock>(() => {
  const hasDevice = breakdown.value?.has_device === true;
  return hasDevice && paramOf("clock") !== "host" ? "device" : "host";
});

const names = computed(() => (breakdown.value === undefined ? [] : scopeNames(breakdown.value, by.value)));
export const scope = computed(() => findScope(names.value, paramOf("at")));
export const crumbs = computed(() =>
  breakdown.value === undefined ? [] : crumbsTo(breakdown.value, by.value, names.value, scope.value),
);

export const maps = computed(() => linkMaps(breakdown.value, memory.value, clock.value));
export const costs = computed(() => fileCosts(breakdown.value, memory.value, clock.value));

/** The module of memory that is what is opened; undefined: everything is, or lines are. */
const memoryModule = computed(() => {
  if (scope.value === 0 || by.value === "lines") return undefined;
  return maps.value.memoryOfKey.get(names.value[scope.value] ?? "");
});

/** What lines have within what is opened; undefined: everything is. */
export const within = computed(() => {
  const known = breakdown.value;
  if (known === undefined || scope.value === 0) return undefined;
  return by.value === "modules"
    ? withinModule(known, scope.value, memory.value, memoryModule.value, clock.value)
    : withinLine(known, scope.value, memory.value, clock.value);
});

/** Undefined: what is opened holds no memory at the peak. */
export const memoryScope = computed<MemoryScope | undefined>(() => {
  if (scope.value === 0) return { kind: "all" };
  if (by.value === "lines") return { kind: "lines", keys: new Set(within.value?.bytes.keys() ?? []) };
  return memoryModule.value === undefined ? undefined : { kind: "module", node: memoryModule.value };
});

/** The role that fills the memory column; undefined: none does. */
export const openRole = computed<number | undefined>(() => {
  const found = roles.value.findIndex(({ name }) => name === paramOf("role"));
  return found < 0 ? undefined : found;
});

export function openScope(node: number): void {
  setParams({ at: names.peek()[node] ?? "", more: "" });
}

/** Goes up one step; false: there is none. */
export function goUp(): boolean {
  if (paramOf("more") !== "") setParams({ more: "" });
  else if (paramOf("role") !== "") setParams({ role: "" });
  else if (scope.peek() !== 0) openScope(levelAbove(breakdown.peek()?.[by.peek()] ?? [], scope.peek(), clock.peek()));
  else return false;
  return true;
}

// ---- What is pointed at. ----------------------------------------------------------------------

export const focus = signal<Focus | undefined>(undefined);

// ---- What can be done. ------------------------------------------------------------------------

/** Why the last thing the user asked for was not done; empty: it was. */
export const refused = signal("");

async function act(work: Promise<Result<unknown>>): Promise<boolean> {
  const done = await busy(work);
  refused.value = done.ok ? "" : done.sentence;
  return done.ok;
}

export async function applyWish(): Promise<void> {
  const { wish } = session.peek();
  if (wish === undefined || wish.isApplied) return;
  const isDone = await act(applyTo(wish.save, wish.batchSize));
  if (isDone) dispatch({ kind: "applied" });
}

// The file's hash in the edit is that of the file as it was profiled: whoever changed it since is not overwritten.
async function applyTo(save: number, batch_size: number): Promise<Result<unknown>> {
  const edit = await client.request("edit", { save, batch_size });
  if (!edit.ok) return edit;
  return host.applyEdit({ save, batch_size, file_hash: edit.value.file_hash }, edit.value);
}

export async function profileAgain(): Promise<void> {
  await act(client.request("profile_again", {}));
}

/** What the script has printed; a sentence where that cannot be had. */
export async function askOutput(): Promise<Result<Output>> {
  return client.request("output", {});
}

export async function cancelProfile(): Promise<void> {
  await act(client.request("cancel_profile", {}));
}

/** Shows in an editor what the wish would change there; a browser's page shows it itself. */
async function showWish(batch_size: number, save: number): Promise<Result<void>> {
  const edit = await client.request("edit", { save, batch_size });
  if (edit.ok && session.peek().wish?.batchSize === batch_size) host.showEdit(edit.value);
  return edit.ok ? { ok: true, value: undefined } : failure(edit.sentence);
}

// ---- Listening. -------------------------------------------------------------------------------

let isStarted = false;

export function startSession(): void {
  if (isStarted) return;
  isStarted = true;
  client.on("session", (data) => dispatch({ kind: "session", data, now: performance.now() }));
  client.on("result", (data) => dispatch({ kind: "result", data, now: performance.now() }));
  client.on("breakdown", (data) => dispatch({ kind: "breakdown", data }));
  client.on("memory", (data) => dispatch({ kind: "memory", data }));
  effect(() => {
    if (client.connects.value > 0) dispatch({ kind: "connected" });
  });
  effect(() => {
    if (client.connection.value === "gone") dispatch({ kind: "disconnected" });
  });
  host.onNotice((notice) => {
    if (notice.kind === "unsaved") void client.request("unsaved", { is_unsaved: notice.isUnsaved });
  });
  if (host.kind === "editor") {
    effect(() => {
      const { wish } = session.value;
      if (wish === undefined) host.showEdit(undefined);
      else if (!wish.isApplied) void showWish(wish.batchSize, wish.save);
    });
  }
  // Events that came before this part of the page was loaded are sent again with a hello.
  void client.request("hello", {});
}
