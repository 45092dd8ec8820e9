// All views, in the order of navigation. A view is one file plus one line here; tables are views by themselves, as the
// server tells which it has.
import type { Content, Door, Hello, TableDef, TraceSummary } from "@protocol/messages";
import type { ViewDef } from "../model/view_def";

const always = (): undefined => undefined;

const stacks = ({ has_stacks }: TraceSummary): string | undefined =>
  has_stacks
    ? undefined
    : "This trace holds no Python stacks. Record with `skyline run`, or with torch.profiler's with_stack=True.";
const memory = ({ has_memory }: TraceSummary): string | undefined =>
  has_memory
    ? undefined
    : "This trace holds no allocations. Record with `skyline run`, or with torch.profiler's profile_memory=True.";
const device = ({ has_device }: TraceSummary): string | undefined =>
  has_device
    ? undefined
    : "No work of a device was recorded: either all of it ran on the CPU, or the profiler was not told to record CUDA activities (activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]).";
const steps = ({ steps }: TraceSummary): string | undefined =>
  steps > 0
    ? undefined
    : "No steps were found. Record with `skyline run`, or call prof.step() once per iteration with torch.profiler.";

const both: readonly Door[] = ["traces", "session"];

// prettier-ignore
const ownViews: readonly ViewDef[] = [
  { id: "session", title: "Session", of: "session", doors: ["session"], load: () => import("./session/session") },
  { id: "overview", title: "Overview", of: "trace", doors: both, needs: always, load: () => import("./overview/overview") },
  { id: "ranks", title: "Ranks", of: "run", doors: ["traces"], load: () => import("./ranks/ranks") },
  { id: "timeline", title: "Timeline", of: "trace", doors: both, needs: always, load: () => import("./timeline/timeline") },
  { id: "flame", title: "Flame graph", of: "trace", doors: both, needs: always, load: () => import("./flame/flame") },
  { id: "memory", title: "Memory", of: "trace", doors: both, needs: memory, load: () => import("./memory/memory") },
  { id: "source", title: "Source", of: "trace", doors: both, needs: always, load: () => import("./source/source") },
];

// In the order in which tables are offered: first those that every trace fills.
const whyEmpty: Readonly<Record<Content, (trace: TraceSummary) => string | undefined>> = {
  events: always,
  steps,
  device,
  stacks,
  memory,
};
const contents = Object.keys(whyEmpty);

const idOf = ({ title }: TableDef): string => title.toLowerCase();

// Each is made once, so that a view stays as it is when the server says hello again.
const tableViews = new Map<string, ViewDef>();

function viewOfTable(table: TableDef): ViewDef {
  const known = tableViews.get(table.name);
  if (known !== undefined) return known;
  const view: ViewDef = {
    id: idOf(table),
    title: table.title,
    of: "trace",
    doors: both,
    group: "Tables",
    needs: whyEmpty[table.must_hold],
    load: async () => (await import("./tables/tables")).tableView(table.name),
  };
  tableViews.set(table.name, view);
  return view;
}

/** All views of what this server serves: a table that a view of its own shows is not offered twice. */
export function viewsOf(hello: Hello): readonly ViewDef[] {
  const tables = hello.tables
    .filter((table) => !ownViews.some(({ id }) => id === idOf(table)))
    .toSorted((a, b) => contents.indexOf(a.must_hold) - contents.indexOf(b.must_hold));
  return [...ownViews, ...tables.map(viewOfTable)];
}
