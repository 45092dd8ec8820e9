import type { SessionBreakdown } from "@protocol/messages";
import { describe, expect, test } from "vitest";
import { breakdown, result, state } from "../../../model/breakdown/session_fake";
import {
  canPredict,
  isOutdated,
  noSession,
  reduceSession,
  type SessionAction,
  type SessionData,
  stageOf,
} from "./state";

const connected: SessionAction = { kind: "connected" };
const said = (over: Parameters<typeof state>[0] = {}, now = 0): SessionAction => ({
  kind: "session",
  data: state(over),
  now,
});
const found = (over: Parameters<typeof result>[0] = {}, now = 0): SessionAction => ({
  kind: "result",
  data: result(over),
  now,
});
const broken = (save: number): SessionAction => ({
  kind: "breakdown",
  data: { save, trace: "", breakdown } satisfies SessionBreakdown,
});

function after(...actions: readonly SessionAction[]): SessionData {
  return actions.reduce(reduceSession, noSession);
}

describe("seconds of a phase", () => {
  const loading = (phase_ms: number, now: number): SessionAction =>
    said({ state: "profiling", phase: "loading", phase_ms }, now);

  test("count from when it began on the server, whatever message is late", () => {
    expect(after(connected, loading(40_000, 50_000)).phaseBegun).toBe(10_000);
    expect(after(connected, loading(0, 1000), loading(500, 2500), loading(1000, 2100)).phaseBegun).toBe(1000);
  });

  test("begin anew with the next phase, and with the next server", () => {
    const next = said({ state: "profiling", phase: "timing" }, 9000);
    expect(after(connected, loading(0, 1000), next).phaseBegun).toBe(9000);
    expect(after(connected, loading(0, 1000), connected, loading(200, 7000)).phaseBegun).toBe(6800);
  });
});

describe("results of older saves", () => {
  test("never overwrite newer ones", () => {
    const session = after(
      connected,
      found({ save: 3, batch_size: 48 }),
      found({ save: 2, batch_size: 32 }),
      broken(3),
      broken(2),
    );
    expect(session.result?.data.batch_size).toBe(48);
    expect(session.breakdown?.data.save).toBe(3);
  });

  test("leave the newer state alone", () => {
    expect(after(connected, said({ save: 3, state: "profiling" }), said({ save: 2 })).state?.data.save).toBe(3);
  });

  test("are replaced by more of the same save, and not by less", () => {
    const more = after(
      connected,
      found({ is_complete: false, samples_per_second: 1 }),
      found({ samples_per_second: 2 }),
    );
    expect(more.result?.data.samples_per_second).toBe(2);
    expect(
      reduceSession(more, found({ is_complete: false, samples_per_second: 3 })).result?.data.samples_per_second,
    ).toBe(2);
  });

  test("of a server that was started again count from 1", () => {
    const session = after(
      connected,
      said({ save: 7 }),
      found({ save: 7 }),
      { kind: "disconnected" },
      connected,
      said({ save: 1, state: "profiling" }),
    );
    expect(session.result?.data.save).toBe(7);
    expect(isOutdated(session)).toBe(true);
    const again = reduceSession(session, found({ save: 1 }));
    expect(again.result?.data.save).toBe(1);
    expect(isOutdated(again)).toBe(false);
  });

  test("are not taken again when they are said again", () => {
    const session = after(connected, broken(3));
    expect(reduceSession(session, broken(3))).toBe(session);
    expect(reduceSession(session, broken(4))).not.toBe(session);
  });

  test("stay until the newer save has a number", () => {
    const session = after(connected, found({ save: 1 }), found({ save: 2, samples_per_second: 0 }));
    expect(session.result?.data.save).toBe(1);
  });

  test("stay, as outdated, while a newer save is profiled", () => {
    const session = after(connected, said(), found(), said({ save: 2, state: "profiling" }));
    expect(isOutdated(session)).toBe(true);
    expect(stageOf(session)).toMatchObject({ kind: "profiling", hasNumber: false });
  });
});

describe("stages", () => {
  const trouble = (kind: "user_code" | "ended" | "out_of_memory" | "interrupted" | "stuck") => ({
    trouble: { kind, sentence: "No.", path: "a.py", line: 3 },
  });
  test.each([
    [[], "connecting"],
    [[connected], "connecting"],
    [[connected, said({ state: "starting", save: 0 })], "starting"],
    [[connected, said({ state: "profiling" })], "profiling"],
    [[connected, said()], "waiting"],
    [[connected, said(), found()], "ready"],
    [[connected, said({ is_stale: true }), found()], "stale"],
    [[connected, said({ is_unsaved: true }), found()], "unsaved"],
    [[connected, said(trouble("user_code"))], "error"],
    [[connected, said(trouble("ended")), found()], "crashed"],
    [[connected, said(trouble("stuck")), found()], "crashed"],
    [[connected, said(trouble("out_of_memory"))], "out_of_memory"],
    [[connected, said(trouble("interrupted"))], "cancelled"],
    [[connected, said(), found(), { kind: "wish", batchSize: 48 }], "predicted"],
    [[connected, said(), found(), { kind: "wish", batchSize: 48 }, { kind: "applied" }], "applied"],
    [[connected, said(), found(), { kind: "disconnected" }], "gone"],
    [[{ kind: "disconnected" }], "connecting"],
  ] as readonly [readonly SessionAction[], string][])("%#: %2$s", (actions, kind) => {
    expect(stageOf(after(...actions)).kind).toBe(kind);
  });
});

describe("a wish", () => {
  const wished = after(connected, said(), found(), { kind: "wish", batchSize: 48 });

  test("is dropped by Esc, by wishing what there is, and by unsaved changes", () => {
    expect(reduceSession(wished, { kind: "revert" }).wish).toBeUndefined();
    expect(reduceSession(wished, { kind: "wish", batchSize: 32 }).wish).toBeUndefined();
    expect(reduceSession(wished, said({ is_unsaved: true })).wish).toBeUndefined();
  });

  test("stays until the save that fulfils it has a number", () => {
    const applied = [{ kind: "applied" }, said({ save: 2, state: "profiling" })] as const;
    const waiting = applied.reduce<SessionData>(reduceSession, wished);
    expect(waiting.wish?.batchSize).toBe(48);
    expect(stageOf(waiting).kind).toBe("profiling");
    expect(reduceSession(waiting, { kind: "revert" }).wish?.batchSize).toBe(48);
    expect(reduceSession(waiting, found({ save: 2, batch_size: 48 })).wish).toBeUndefined();
  });

  test("cannot be had of numbers that are not those of the files", () => {
    for (const over of [{ is_unsaved: true }, { is_stale: true }, { save: 2, state: "profiling" as const }]) {
      const session = after(connected, said(), found(), said(over));
      expect(canPredict(session)).toBe(false);
      expect(reduceSession(session, { kind: "wish", batchSize: 48 }).wish).toBeUndefined();
    }
  });
});

test("the time from save to numbers counts from when the save was heard of", () => {
  const session = after(
    connected,
    said({ save: 2, state: "profiling" }, 100),
    found({ save: 2, is_complete: false }, 900),
    found({ save: 2 }, 5000),
  );
  expect(session.times).toEqual({ save: 2, begun: 100, first: 900, complete: 5000 });
  expect(after(connected, said({}, 100), found({}, 900)).times).toBeUndefined();
});
