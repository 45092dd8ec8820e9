// The run that the opened traces are: asked for when it is shown, which has the server read them one after another, and
// then told by it as more is known.
import type { Run, RunRank, VerdictPart } from "@protocol/messages";
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { client } from "../../../client/client";
import type { AnswerState } from "../../../model/answers";
import { generation } from "../../../model/app";

const known = signal<AnswerState<Run>>({ state: "waiting", stale: undefined });

client.on("run", (run) => (known.value = { state: "ready", value: run }));

export function useRun(): AnswerState<Run> {
  const now = generation.value;
  useEffect(() => {
    void client.request("run", {}).then((result) => {
      known.value = result.ok
        ? { state: "ready", value: result.value }
        : { state: "failed", sentence: result.sentence };
    });
  }, [now]);
  return known.value;
}

export type RankOrder = "rank" | "need";

/** All of them; in order of need, those of which nothing is known come last. */
export function ordered({ ranks, by_need }: Run, order: RankOrder): readonly RunRank[] {
  if (order === "rank") return ranks;
  const first = by_need.flatMap((at) => ranks[at] ?? []);
  return [...first, ...ranks.filter((rank) => !first.includes(rank))];
}

/** The parts that some rank has, each once, in the order of the verdict. */
export function partsOf(ranks: readonly RunRank[]): readonly VerdictPart[] {
  const parts = new Map<string, VerdictPart>();
  for (const { verdict } of ranks) {
    for (const part of verdict.parts) if (part.time_ns > 0 && !parts.has(part.name)) parts.set(part.name, part);
  }
  return [...parts.values()];
}
