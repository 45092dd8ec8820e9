import { describe, expect, test } from "vitest";
import type { Flow, FlowKind, SliceDetails, SliceRef } from "@protocol/messages";
import { flowsOf } from "./places";

const ref = (slice: number, category: string): SliceRef => ({
  slice,
  name: "",
  category,
  kind: category,
  track: 0,
  row: 0,
  start_ns: slice * 10,
  dur_ns: 5,
});
const flow = (kind: FlowKind, slice: number): Flow => ({ kind, slice: ref(slice, "") });

function arrowsOf(category: string, flows: readonly Flow[]): string[] {
  const details: SliceDetails = {
    slice: ref(1, category),
    self_ns: 0,
    step: -1,
    parents: [],
    flows,
    stack: [],
    module: "",
    args: [],
  };
  return flowsOf("t", details).map(({ from, to }) => `${from.slice}>${to.slice}`);
}

describe("arrows of the selection", () => {
  test("go from the operator over its launches to their kernels", () => {
    const flows = [flow("launch", 2), flow("activity", 4), flow("launch", 3), flow("activity", 5), flow("activity", 6)];
    expect(arrowsOf("cpu_op", flows)).toEqual(["1>2", "2>4", "1>3", "3>5", "3>6"]);
  });

  test("go through a launch that is selected", () => {
    expect(arrowsOf("runtime", [flow("op", 2), flow("activity", 3)])).toEqual(["2>1", "1>3"]);
  });

  test("end at a kernel that is selected, also where its launch was not recorded", () => {
    expect(arrowsOf("kernel", [flow("launch", 3), flow("op", 2)])).toEqual(["3>1", "2>3"]);
    expect(arrowsOf("kernel", [flow("op", 2)])).toEqual(["2>1"]);
    expect(arrowsOf("kernel", [])).toEqual([]);
  });

  test("are few enough to see what they point at", () => {
    expect(
      arrowsOf(
        "user_annotation",
        Array.from({ length: 200 }, (_, i) => flow("launch", i)),
      ).length,
    ).toBe(60);
  });

  test("go from forward to backward, whichever is selected", () => {
    expect(arrowsOf("cpu_op", [flow("backward", 8)])).toEqual(["1>8"]);
    expect(arrowsOf("cpu_op", [flow("forward", 8)])).toEqual(["8>1"]);
  });
});
