// What the whole page knows: what the server serves, and what of it was chosen. The choice stands in the address.
import type { Hello, TableDef, TraceSummary } from "@protocol/messages";
import { computed, effect, signal } from "@preact/signals";
import type { Result } from "../base/result";
import { numberParam, paramOf, setParams } from "../base/url_state";
import { client, setResumeSecret } from "../client/client";

/** Undefined until the server has said hello. */
export const hello = signal<Hello | undefined>(undefined);

/** Why there is no hello; empty: no reason. */
export const helloTrouble = signal("");

/** Changes when answers that were kept are no longer those the server would give. */
export const generation = signal(0);

/** The chosen trace, or the first one. */
export const chosenTrace = computed<TraceSummary | undefined>(() => {
  const traces = hello.value?.traces ?? [];
  return traces.find(({ id }) => id === paramOf("trace")) ?? traces[0];
});

/** The step that tables and flame graphs are limited to; undefined: all. */
export const chosenStep = computed<number | undefined>(() => numberParam("step"));

export function chooseTrace(id: string): void {
  setParams({ trace: id, step: "" });
}

export function chooseStep(step: number | undefined): void {
  setParams({ step: step === undefined ? "" : String(step) });
}

export function tableDef(of: Hello, name: string): TableDef | undefined {
  return of.tables.find((table) => table.name === name);
}

function setTraces(change: (traces: readonly TraceSummary[]) => readonly TraceSummary[]): void {
  const known = hello.value;
  if (known !== undefined) hello.value = { ...known, traces: change(known.traces) };
}

/** Has the server read a trace. */
export async function openTrace(id: string): Promise<Result<TraceSummary>> {
  const result = await client.request("open_trace", { trace: id });
  if (result.ok) setTraces((traces) => traces.map((each) => (each.id === id ? result.value : each)));
  return result;
}

async function sayHello(): Promise<void> {
  const result = await client.request("hello", {});
  if (result.ok) {
    // Another program may speak otherwise than this page does.
    if (hello.value !== undefined && hello.value.program !== result.value.program) location.reload();
    setResumeSecret(result.value.resume_secret);
    hello.value = result.value;
    helloTrouble.value = "";
    generation.value += 1;
  } else {
    helloTrouble.value = result.sentence;
  }
}

/** Connects, and says hello whenever the connection was made. */
export function startApp(): void {
  client.start();
  effect(() => {
    if (client.connects.value > 0) void sayHello();
  });
  client.on("traces", ({ traces }) => setTraces(() => traces));
  // A session's recordings appear, and are replaced, while the page is open.
  const saves = new Map<string, number>();
  const recorded = ({ trace, save }: { readonly trace: string; readonly save: number }): void => {
    if (trace === "" || saves.get(trace) === save) return;
    saves.set(trace, save);
    void sayHello();
  };
  client.on("breakdown", recorded);
  client.on("memory", recorded);
}
