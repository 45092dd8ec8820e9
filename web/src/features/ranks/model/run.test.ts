import type { Run, RunRank } from "@protocol/messages";
import { expect, test, vi } from "vitest";

vi.mock("../../../client/client", () => ({
  client: { request: () => new Promise(() => undefined), connects: { value: 0 }, on: () => () => undefined },
}));

const { ordered, partsOf } = await import("./run");

function rank(trace: string, parts: Readonly<Record<string, number>> = {}): RunRank {
  return {
    trace,
    name: `${trace}.json`,
    is_known: Object.keys(parts).length > 0,
    error: "",
    rank: Number(trace),
    host: "",
    offset_ns: 0,
    steps: 0,
    median_step_ns: 0,
    dropped: 0,
    verdict: {
      waits_for: "host",
      share: 1,
      sentence: "",
      judged_ns: 10,
      parts: Object.entries(parts).map(([name, time_ns]) => ({ name, definition: "", time_ns })),
    },
  };
}

const run: Run = {
  is_one_run: true,
  sentence: "Of 2 ranks, rank 1 computes least.",
  by_need: [1, 0],
  pending: 1,
  ranks: [rank("0", { "device compute": 6, host: 4, copy: 0 }), rank("1", { host: 8, idle: 2 }), rank("2")],
};

test("ranks stand by their number or by need, those that are not known yet at the end", () => {
  expect(ordered(run, "rank").map(({ trace }) => trace)).toEqual(["0", "1", "2"]);
  expect(ordered(run, "need").map(({ trace }) => trace)).toEqual(["1", "0", "2"]);
});

test("the legend has every part that some rank has, once", () => {
  expect(partsOf(run.ranks).map(({ name }) => name)).toEqual(["device compute", "host", "idle"]);
});
