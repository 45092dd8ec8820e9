import { describe, expect, test } from "vitest";
import type { TraceSummary } from "@protocol/messages";
import { views } from "./registry";

const empty: TraceSummary = {
  id: "0",
  name: "trace.json",
  rank: -1,
  world_size: -1,
  offset_ns: 0,
  duration_ns: 0,
  events: 0,
  steps: 0,
  host_name: "",
  producer: "",
  format: "",
  devices: [],
  has_device: false,
  has_memory: false,
  has_stacks: false,
  has_modules: false,
  has_sources: false,
};

test("each view has an id and a title of its own", () => {
  expect(new Set(views.map(({ id }) => id)).size).toBe(views.length);
  expect(new Set(views.map(({ title }) => title)).size).toBe(views.length);
});

test("members of a group stand together", () => {
  const groups = views
    .map(({ group }) => group)
    .filter((group, at, all) => group !== undefined && group !== all[at - 1]);
  expect(new Set(groups).size).toBe(groups.length);
});

test("every door has a first view", () => {
  for (const door of ["traces", "session"] as const) expect(views.some(({ doors }) => doors.includes(door))).toBe(true);
});

describe.each(views.map((view) => [view.id, view] as const))("%s", (_, view) => {
  test("its file has a View", async () => expect(typeof (await view.load()).View).toBe("function"));

  test("if it has nothing to show it says what to switch on", () => {
    const why = view.of === "trace" ? view.needs(empty) : undefined;
    expect(why ?? "Record with").toMatch(/Record with|recorded/);
  });
});
