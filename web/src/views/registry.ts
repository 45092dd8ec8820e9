// All views, in the order of navigation. A view is one file plus one line here.
import type { TraceSummary } from "@protocol/messages";
import type { ViewDef } from "../model/view_def";

const always = (): undefined => undefined;

const stacks = ({ has_stacks, has_modules }: TraceSummary): string | undefined =>
  has_stacks || has_modules
    ? undefined
    : "This trace holds no Python stacks and no modules. Record with `skyline run`, or with torch.profiler's with_stack=True and with_modules=True.";
const memory = ({ has_memory }: TraceSummary): string | undefined =>
  has_memory
    ? undefined
    : "This trace holds no allocations. Record with `skyline run`, or with torch.profiler's profile_memory=True.";

// prettier-ignore
export const views: readonly ViewDef[] = [
  { id: "session", title: "Session", of: "session", doors: ["session"], load: () => import("./session") },
  { id: "overview", title: "Overview", of: "trace", doors: ["traces", "session"], needs: always, load: () => import("./overview") },
  { id: "flame", title: "Flame graph", of: "trace", doors: ["traces", "session"], needs: stacks, load: () => import("./flame") },
  { id: "timeline", title: "Timeline", of: "trace", doors: ["traces", "session"], needs: always, load: () => import("./timeline") },
  { id: "memory", title: "Memory", of: "trace", doors: ["traces", "session"], needs: memory, load: () => import("./memory") },
  { id: "source", title: "Source", of: "trace", doors: ["traces", "session"], isHidden: true, needs: always, load: () => import("./source") },
];
