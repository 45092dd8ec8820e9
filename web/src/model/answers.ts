// Answers for components: asked for when shown, kept for a while, so that Back is at once there.
import { useEffect, useState } from "preact/hooks";
import { assertUnreachable, type Result } from "../base/result";
import { client } from "../client/client";
import type { Answer, MethodName, Params } from "../client/connection";
import { generation } from "./app";

/** While a new answer is awaited, the one before may be shown as `stale`. */
export type AnswerState<T> =
  | { readonly state: "waiting"; readonly stale: T | undefined }
  | { readonly state: "ready"; readonly value: T }
  | { readonly state: "failed"; readonly sentence: string };

const keptCount = 64;
const kept = new Map<string, unknown>();
let keptGeneration = -1;

function keyOf<M extends MethodName>(method: M, params: Params<M>): string {
  return `${method} ${JSON.stringify(params)}`;
}

function lookUp<T>(key: string): T | undefined {
  if (keptGeneration !== generation.value) {
    kept.clear();
    keptGeneration = generation.value;
  }
  return kept.get(key) as T | undefined;
}

function keep(key: string, value: unknown): void {
  kept.delete(key);
  kept.set(key, value);
  for (const oldest of kept.keys()) {
    if (kept.size <= keptCount) break;
    kept.delete(oldest);
  }
}

/** Asks, unless the answer is still known. */
export async function ask<M extends MethodName>(
  method: M,
  params: Params<M>,
  cancel?: AbortSignal,
): Promise<Result<Answer<M>>> {
  const key = keyOf(method, params);
  const known = lookUp<Answer<M>>(key);
  if (known !== undefined) return { ok: true, value: known };
  const askedIn = generation.value;
  const result = await client.request(method, params, cancel);
  if (result.ok && askedIn === generation.value) keep(key, result.value);
  return result;
}

/** The answer to a question, asked again when its params or the server's data change. */
export function useAnswer<M extends MethodName>(method: M, params: Params<M>): AnswerState<Answer<M>> {
  const key = keyOf(method, params);
  const now = generation.value;
  const [seen, setSeen] = useState<{ key: string; now: number; result: Result<Answer<M>> } | undefined>(undefined);
  const known = lookUp<Answer<M>>(key);
  const isAnswered = seen?.key === key && seen.now === now;
  useEffect(() => {
    if (isAnswered) return;
    const cancel = new AbortController();
    void ask(method, params, cancel.signal).then((result) => {
      if (!cancel.signal.aborted) setSeen({ key, now, result });
    });
    return () => cancel.abort();
  }, [key, now]);
  if (isAnswered) return stateOf(seen.result);
  if (known !== undefined) return { state: "ready", value: known };
  return { state: "waiting", stale: seen?.result.ok === true ? seen.result.value : undefined };
}

function stateOf<T>(result: Result<T>): AnswerState<T> {
  return result.ok ? { state: "ready", value: result.value } : { state: "failed", sentence: result.sentence };
}

/** What can be shown: the answer, or the one before it. */
export function shownOf<T>(answer: AnswerState<T>): T | undefined {
  switch (answer.state) {
    case "ready":
      return answer.value;
    case "waiting":
      return answer.stale;
    case "failed":
      return undefined;
    default:
      return assertUnreachable(answer);
  }
}
