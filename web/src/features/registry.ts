// All views, in the order of navigation. A view is one file plus one line here.
import type { Door, TraceSummary } from "@protocol/messages";
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
const tables = () => import("./tables/tables");

// prettier-ignore
export const views: readonly ViewDef[] = [
  { id: "session", title: "Session", of: "session", doors: ["session"], load: () => import("./session/session") },
  { id: "overview", title: "Overview", of: "trace", doors: both, needs: always, load: () => import("./overview/overview") },
  { id: "timeline", title: "Timeline", of: "trace", doors: both, needs: always, load: () => import("./timeline/timeline") },
  { id: "flame", title: "Flame graph", of: "trace", doors: both, needs: always, load: () => import("./flame/flame") },
  { id: "memory", title: "Memory", of: "trace", doors: both, needs: memory, load: () => import("./memory/memory") },
  { id: "source", title: "Source", of: "trace", doors: both, needs: always, load: () => import("./source/source") },
  { id: "operators", title: "Operators", of: "trace", doors: both, group: "Tables", needs: always, load: async () => (await tables()).tableView("ops") },
  { id: "kernels", title: "Kernels", of: "trace", doors: both, group: "Tables", needs: device, load: async () => (await tables()).tableView("kernels") },
  { id: "modules", title: "Modules", of: "trace", doors: both, group: "Tables", needs: steps, load: async () => (await tables()).tableView("modules") },
  { id: "lines", title: "Lines", of: "trace", doors: both, group: "Tables", needs: steps, load: async () => (await tables()).tableView("lines") },
  { id: "steps", title: "Steps", of: "trace", doors: both, group: "Tables", needs: steps, load: async () => (await tables()).tableView("steps") },
  { id: "stacks", title: "Stacks", of: "trace", doors: both, group: "Tables", needs: stacks, load: async () => (await tables()).tableView("stacks") },
  { id: "calls", title: "Calls", of: "trace", doors: both, group: "Tables", needs: always, load: async () => (await tables()).tableView("calls") },
];
