import { expect, test } from "vitest";
import { roleOf } from "../../../base/roles";
import { modules, phases } from "../../../model/breakdown/session_fake";
import { timeSegments } from "../../../model/breakdown/tree";
import { legendOf } from "./legend";

const words = phases.map(({ name }) => name);

test("every colour of a column is in its legend, each once", () => {
  const segments = timeSegments(modules, 0, "host", phases);
  const legend = legendOf(segments, words);
  const used = new Set(segments.flatMap(({ parts }) => parts.map(({ word }) => roleOf(word))));
  expect(new Set(legend.map(({ role }) => role))).toEqual(used);
  expect(legend.length).toBe(used.size);
  expect(legend.find(({ role }) => role === "optimizer")?.words).toEqual(["optimizer", "zero_grad"]);
});
