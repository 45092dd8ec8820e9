import { beforeEach, describe, expect, test, vi } from "vitest";
import type { SliceRef } from "@protocol/messages";
import { ok, type Result } from "../../../base/result";
import { fakePart, fakeTrack } from "./fake";

const asked: { method: string; params: Record<string, unknown>; answer: (value: unknown) => void }[] = [];

vi.mock("../../../client/client", () => ({
  client: {
    request: (method: string, params: Record<string, unknown>): Promise<Result<unknown>> =>
      new Promise((resolve) => asked.push({ method, params, answer: (value) => resolve(ok(value)) })),
    connects: { value: 0 },
    on: () => () => undefined,
  },
}));

const { TimelineStore } = await import("./store");

const ref = (slice: number, start_ns: number): SliceRef => ({
  slice,
  name: `op ${slice}`,
  category: "cpu_op",
  kind: "cpu_op",
  track: 0,
  row: 0,
  start_ns,
  dur_ns: 5,
});
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

function makeStore() {
  const first = fakePart({ id: "a", offset_ns: 0 }, [fakeTrack({})]);
  const second = fakePart({ id: "b", offset_ns: 100 }, [fakeTrack({})]);
  return new TimelineStore([first, second], first.summary, () => undefined);
}

beforeEach(() => void asked.splice(0));

describe("the timeline's store", () => {
  test("holds all traces, the later one shifted", () => {
    expect(makeStore().bounds).toEqual({ startNs: 0, endNs: 1100 });
  });

  test("finds in all traces, in the order of common time, and goes around", async () => {
    const store = makeStore();
    void store.search("op");
    asked[0]!.answer({ total: 2, slices: [ref(1, 50), ref(2, 300)] });
    asked[1]!.answer({ total: 7, slices: [ref(3, 10)] });
    await settled();
    const matches = store.matches.value;
    expect(matches?.state === "known" && matches.value.total).toBe(9);
    expect(store.nextMatch(1, 100)?.ref.slice).toBe(3); // at 110, the first that is visible
    expect(store.nextMatch(1, 0)?.ref.slice).toBe(2);
    expect(store.nextMatch(1, 0)?.ref.slice).toBe(1);
    expect(store.nextMatch(-1, 0)?.ref.slice).toBe(2);
  });

  test("an old search never replaces a newer one", async () => {
    const store = makeStore();
    void store.search("old");
    void store.search("new");
    for (const { params, answer } of asked.slice(2))
      answer({ total: 0, slices: params["text"] === "new" ? [] : [ref(1, 1)] });
    await settled();
    for (const { answer } of asked.slice(0, 2)) answer({ total: 1, slices: [ref(1, 1)] });
    await settled();
    const matches = store.matches.value;
    expect(matches?.state === "known" && matches.value).toEqual({ text: "new", total: 0, found: [] });
  });

  test("an old selection's details never replace a newer one's", async () => {
    const store = makeStore();
    const place = (slice: number) => ({ trace: "a", slice, track: 0, row: 0, startNs: 0, endNs: 1 });
    const details = (slice: number) => ({
      slice: ref(slice, 0),
      self_ns: 1,
      step: -1,
      parents: [],
      flows: [],
      stack: [],
      module: "",
      args: [],
    });
    store.select(place(1));
    store.select(place(2));
    asked[1]!.answer(details(2));
    asked[0]!.answer(details(1));
    await settled();
    const known = store.details.value;
    expect(known?.state === "known" && known.value.slice.slice).toBe(2);
  });

  test("a range is asked for in the trace's own time", () => {
    const store = makeStore();
    store.measure({ startNs: 150, endNs: 250, trace: "b" });
    void store.askRange();
    expect(asked[0]!.params).toEqual({ trace: "b", start_ns: 50, end_ns: 150, tracks: [0] });
  });

  test("a mark near another takes it away", () => {
    const store = makeStore();
    store.toggleMark(500, 10);
    store.toggleMark(100, 10);
    expect(store.marks.value).toEqual([100, 500]);
    store.toggleMark(505, 10);
    expect(store.marks.value).toEqual([100]);
  });
});
