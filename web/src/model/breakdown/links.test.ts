import { describe, expect, test } from "vitest";
import { breakdown, memory, modules, phases, roles } from "./session_fake";
import { memoryShare, timeShare } from "./focus";
import { fileCosts, lineMarks, withinLine, withinModule } from "./lines";
import { type Focus, linesOfMemory, linesOfTime, linkMaps } from "./links";
import { memorySegments } from "./memory";
import { type Segment, timeSegments, type TreeKind } from "./tree";

const maps = linkMaps(breakdown, memory, "host");
const words = phases.map(({ name }) => name);

function timeSegment(label: string, scope = 0, by: TreeKind = "modules"): Segment {
  const found = timeSegments(by === "modules" ? modules : breakdown.lines, scope, "host", phases).find(
    (segment) => segment.label === label,
  );
  if (found === undefined) throw new Error(label);
  return found;
}

function memorySegment(label: string, role?: number): Segment {
  const found = memorySegments(memory, roles, { kind: "all" }, role, "modules").find(
    (segment) => segment.label === label,
  );
  if (found === undefined) throw new Error(label);
  return found;
}

const linesOf = (segment: Segment, by: TreeKind = "modules") =>
  Object.fromEntries(linesOfTime(breakdown, maps, segment, by, "host", words));

describe("the lines of a segment", () => {
  test("of a module are those it spends time below", () => {
    expect(linesOf(timeSegment("head"))).toEqual({ "model.py:9": 100, "train.py:4": 100 });
  });

  test("outside the model are those that compute something in no module", () => {
    expect(linesOf(timeSegment("outside the model"))).toEqual({ "train.py:4": 90 });
  });

  test("of a phase are those that spend it themselves", () => {
    expect(linesOf(timeSegment("optimizer"))).toEqual({ "train.py:5": 80 });
  });

  test("of a line are itself and what it calls", () => {
    expect(linesOf(timeSegment("train.py:4 itself", 0, "lines"), "lines")).toEqual({ "train.py:4": 50 });
    expect(linesOf({ ...timeSegment("model.py:8", 0, "lines"), node: 2 }, "lines")).toEqual({
      "train.py:4": 910,
      "model.py:8": 430,
      "model.py:9": 390,
    });
  });

  test("of memory are those that allocated it", () => {
    expect(Object.fromEntries(linesOfMemory(memory, maps, memorySegment("weights"), false))).toEqual({
      "model.py:3": 200,
    });
    expect(Object.fromEntries(linesOfMemory(memory, maps, memorySegment("head", 0), false))).toEqual({
      "model.py:9": 300,
      "model.py:3": 150,
    });
  });
});

const pointedAt = (over: Partial<Focus>): Focus => ({
  from: "source",
  segment: "",
  module: undefined,
  lines: new Map(),
  place: undefined,
  ...over,
});

describe("what is pointed at", () => {
  const line = pointedAt({ lines: new Map([["model.py:9", 0]]) });

  test("as a line, has its share of each segment", () => {
    expect(timeShare(breakdown, maps, timeSegment("head"), line, "modules", "host", words)).toBe(1);
    expect(timeShare(breakdown, maps, timeSegment("optimizer"), line, "modules", "host", words)).toBe(0);
    expect(timeShare(breakdown, maps, timeSegment("1", 2), line, "modules", "host", words)).toBeCloseTo(290 / 400);
    expect(memoryShare(memory, maps, memorySegment("activations"), line, false, undefined)).toBeCloseTo(200 / 600);
    expect(memoryShare(memory, maps, memorySegment("gradients"), line, false, undefined)).toBe(1);
  });

  test("as a module in one column, has its share in the other", () => {
    const head = pointedAt({ from: "time", segment: "head", module: "head" });
    expect(memoryShare(memory, maps, memorySegment("weights"), head, false, undefined)).toBeCloseTo(150 / 200);
    expect(memoryShare(memory, maps, memorySegment("temporary"), head, false, undefined)).toBe(0);
    const back = pointedAt({ from: "memory", segment: "head", module: "blocks.0" });
    const blocks = { ...timeSegment("head"), key: "blocks", node: 2, value: 710 };
    expect(timeShare(breakdown, maps, blocks, back, "modules", "host", words)).toBeCloseTo(300 / 710);
    expect(timeShare(breakdown, maps, timeSegment("0", 2), back, "modules", "host", words)).toBe(1);
  });

  test("as a role, says nothing of time", () => {
    const weights = pointedAt({ from: "memory", segment: "#weights" });
    expect(timeShare(breakdown, maps, timeSegment("head"), weights, "modules", "host", words)).toBeUndefined();
  });
});

describe("costs of lines", () => {
  test("hold time and memory, the costliest file first", () => {
    const files = fileCosts(breakdown, memory, "host");
    expect(files.map(({ path }) => path)).toEqual(["model.py", "train.py"]);
    expect(files[0]?.lines.get(9)).toMatchObject({ time: 390, bytes: 300, calls: 1 });
    expect(files[0]?.lines.get(3)).toMatchObject({ time: 0, bytes: 200 });
  });

  test("stand beside a line as its own, as on the terminal; what the lines below it take is only hinted at", () => {
    const train = fileCosts(breakdown, memory, "host").find(({ path }) => path === "train.py");
    const marks = lineMarks(train, undefined, { time: 1000, bytes: 1000 });
    expect(marks.map(({ line, text }) => [line, text])).toEqual([
      [4, "9\u00a0%"],
      [5, "9\u00a0%"],
    ]);
    expect(marks.map(({ time }) => time)).toEqual([0.09, 0.09]);
    expect(marks[0]?.reach).toBeCloseTo(0.91);
  });

  test("within a module are what it has of them", () => {
    const within = withinModule(breakdown, 4, memory, undefined, "host");
    expect(within.allTime).toBe(400);
    expect(Object.fromEntries(within.time)).toEqual({ "model.py:9": 290, "model.py:8": 110, "train.py:4": 400 });
  });

  test("within a line are what is below it", () => {
    const within = withinLine(breakdown, 2, memory, "host");
    expect(Object.fromEntries(within.time)).toEqual({ "train.py:4": 910, "model.py:8": 430, "model.py:9": 390 });
    expect(within.allBytes).toBe(700);
  });
});
