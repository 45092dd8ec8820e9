import { describe, expect, test } from "vitest";
import type { Content, Hello, TableDef, TraceSummary } from "@protocol/messages";
import { viewsOf } from "./registry";

const empty: TraceSummary = {
  id: "0",
  name: "trace.json",
  is_read: true,
  is_held: true,
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

const table = (name: string, title: string, must_hold: Content): TableDef => ({
  name,
  title,
  sentence: "Which are there?",
  needs: "events",
  must_hold,
  columns: [],
  group_by: [name],
});

const hello: Hello = {
  protocol: 1,
  program: "skyline",
  command: "",
  resume_secret: "",
  door: "traces",
  traces: [empty],
  tables: [
    table("steps", "Steps", "steps"),
    table("ops", "Operators", "events"),
    table("kernels", "Kernels", "device"),
    table("stacks", "Stacks", "stacks"),
    table("memory", "Memory", "memory"),
  ],
  phases: [],
  memory_roles: [],
  kinds: [],
};
const views = viewsOf(hello);

test("tables that every trace fills come first, and none that has a view of its own", () => {
  expect(views.filter(({ group }) => group === "Tables").map(({ id }) => id)).toEqual([
    "operators",
    "steps",
    "kernels",
    "stacks",
  ]);
});

test("a new table is a view by itself", () => {
  const more = viewsOf({ ...hello, tables: [...hello.tables, table("collectives", "Collectives", "device")] });
  expect(more.map(({ title }) => title)).toContain("Collectives");
});

test("views stay the same when the server says hello again", () => {
  expect(viewsOf({ ...hello })).toEqual(views);
  viewsOf({ ...hello }).forEach((view, at) => expect(view).toBe(views[at]));
});

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
