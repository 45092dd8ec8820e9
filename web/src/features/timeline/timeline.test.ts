import { expect, test, vi } from "vitest";
import { fakeSummary } from "./model/fake";

vi.mock("../../client/client", () => ({
  client: {
    request: () => new Promise(() => undefined),
    connects: { value: 0 },
    connection: { value: "open" },
    on: () => () => undefined,
  },
}));

const { together } = await import("./timeline");

test("traces that ran at the same time are shown together, others alone", () => {
  const rank0 = fakeSummary({ id: "0", offset_ns: 0, duration_ns: 1000 });
  const rank1 = fakeSummary({ id: "1", offset_ns: 900, duration_ns: 1000 });
  const nextDay = fakeSummary({ id: "2", offset_ns: 86_400e9, duration_ns: 1000 });
  const all = [rank0, rank1, nextDay];
  expect(together(all, rank0)).toEqual([rank0, rank1]);
  expect(together(all, nextDay)).toEqual([nextDay]);
});

test("of very many traces only the chosen one is shown", () => {
  const all = Array.from({ length: 100 }, (_, i) => fakeSummary({ id: String(i), duration_ns: 1000 }));
  expect(together(all, all[7]!)).toEqual([all[7]]);
});

test("a trace that is not in memory is not read just to be shown beside another", () => {
  const rank0 = fakeSummary({ id: "0" });
  const rank1 = fakeSummary({ id: "1", is_held: false });
  expect(together([rank0, rank1], rank0)).toEqual([rank0]);
  expect(together([rank0, rank1], rank1)).toEqual([rank0, rank1]);
});
