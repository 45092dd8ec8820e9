import { describe, expect, test } from "vitest";
import { lines, memory, modules, phases, roles, tree } from "./session_fake";
import { memorySegments } from "./memory";
import { gather, levelAbove, nodeKeys, pathTo, type Segment, sumOf, timeOf, timeSegments } from "./tree";

const brief = (segments: readonly Segment[]): string =>
  segments.map(({ label, value }) => `${label} ${value}`).join(", ");
const total = (segments: readonly Segment[]): number => sumOf(segments.map(({ value }) => value));

describe("run time", () => {
  test("unfolds what is nearly all, and shows other phases apart", () => {
    expect(brief(timeSegments(modules, 0, "host", phases))).toBe(
      "blocks.1 400, blocks.0 300, head 100, outside the model 50, blocks itself 10, optimizer 80, zero grad 10, python 50",
    );
  });

  test("adds up to its place at every level of both trees", () => {
    for (const nodes of [modules, lines]) {
      nodes.forEach(({ total: all }, scope) => {
        const segments = timeSegments(nodes, scope, "host", phases);
        expect(total(segments)).toBe(timeOf(all, "host"));
        for (const { parts, value } of segments) expect(sumOf(parts.map((part) => part.value))).toBe(value);
      });
    }
  });

  test("names what is inside without what is known from the place", () => {
    expect(brief(timeSegments(modules, 2, "host", phases))).toBe("1 400, 0 300, itself 10");
  });

  test("of lines names files and lines", () => {
    expect(brief(timeSegments(lines, 0, "host", phases))).toBe(
      "model.py:8 430, model.py:9 390, train.py:5 90, train.py:4 itself 50, python 40",
    );
  });

  test("tells a line apart that two unfolded callers lead to", () => {
    const helper = { name: "helper.py", line: 7, function: "loss" };
    const unfolded = tree({
      name: "",
      own: {},
      inside: [
        {
          name: "train.py",
          line: 3,
          function: "main",
          own: { forward: 1 },
          inside: [
            { ...helper, own: { forward: 4 } },
            { name: "train.py", line: 5, function: "step", own: {}, inside: [{ ...helper, own: { forward: 90 } }] },
          ],
        },
      ],
    });
    const segments = timeSegments(unfolded, 0, "host", phases);
    expect(brief(segments)).toBe("helper.py:7 90, helper.py:7 4, train.py:3 itself 1");
    expect(segments.map(({ detail }) => detail).slice(0, 2)).toEqual([
      "loss, called by train.py:5",
      "loss, called by train.py:3",
    ]);
    expect(new Set(segments.map(({ key }) => key)).size).toBe(3);
  });

  test("parts forward from backward", () => {
    const head = timeSegments(modules, 0, "host", phases).find(({ label }) => label === "head");
    expect(head?.parts).toEqual([
      { word: "forward", value: 40 },
      { word: "backward", value: 60 },
    ]);
  });
});

describe("memory", () => {
  test("stands by role, in one order whatever the sizes", () => {
    expect(brief(memorySegments(memory, roles, { kind: "all" }, undefined, "modules"))).toBe(
      "activations 600, weights 200, gradients 100, temporary 100",
    );
  });

  test("of one role stands by module, or by line", () => {
    const weights = 0;
    expect(brief(memorySegments(memory, roles, { kind: "all" }, weights, "modules"))).toBe("head 150, blocks.0 50");
    expect(brief(memorySegments(memory, roles, { kind: "all" }, weights, "lines"))).toBe("model.py:3 200");
  });

  test("of one place adds up to it", () => {
    memory.modules.forEach(({ total: all }, node) => {
      const segments = memorySegments(memory, roles, { kind: "module", node }, undefined, "modules");
      expect(total(segments)).toBe(sumOf(all));
    });
  });

  test("of lines says when a place is not known", () => {
    expect(brief(memorySegments(memory, roles, { kind: "all" }, 6, "lines"))).toBe("place not known 100");
  });
});

test("going up leads to the outermost level that shows the place", () => {
  const name = (node: number): string | undefined => nodeKeys(modules)[node];
  expect(name(levelAbove(modules, 6, "host"))).toBe(""); // head: the model is unfolded there
  expect(name(levelAbove(modules, 3, "host"))).toBe(""); // as is blocks
  expect(name(levelAbove(modules, 5, "host"))).toBe("blocks.1");
});

test("small segments are gathered, and none gets lost", () => {
  const segments = timeSegments(modules, 0, "host", phases);
  const gathered = gather(segments, 0.06);
  expect(brief(gathered)).toBe("blocks.1 400, blocks.0 300, head 100, optimizer 80, 4 others 120");
  expect(total(gathered)).toBe(total(segments));
  expect(gathered[4]?.members.map(({ label }) => label)).toEqual([
    "outside the model",
    "blocks itself",
    "zero grad",
    "python",
  ]);
  expect(sumOf(gathered[4]?.parts.map(({ value }) => value) ?? [])).toBe(120);
  expect(gather(segments, 0.01)).toHaveLength(segments.length);
  expect(gather(segments.slice(0, 4), 0.1)).toHaveLength(4); // one alone needs no company
});

test("a module is found again by its name, one without a name by its class", () => {
  expect(nodeKeys(modules)).toEqual(["", "(Net)", "blocks", "blocks.0", "blocks.1", "blocks.1.conv", "head"]);
  expect(pathTo(modules, 5)).toEqual([0, 1, 2, 4, 5]);
  const loss = tree({ name: "", own: {}, inside: [{ name: "", class_name: "CrossEntropyLoss", own: { forward: 1 } }] });
  expect(nodeKeys(loss)).toEqual(["", "(CrossEntropyLoss)"]);
});
