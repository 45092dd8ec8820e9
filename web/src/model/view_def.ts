// What a view is: one file that exports View, and one line in features/registry.ts; or one of the server's tables.
import type { Door, Hello, TraceSummary } from "@protocol/messages";
import type { ComponentType } from "preact";

export interface TraceViewProps {
  readonly hello: Hello;
  readonly trace: TraceSummary;
}

export interface SessionViewProps {
  readonly hello: Hello;
}

interface ViewBase {
  readonly id: string; // its part of the address
  readonly title: string;
  readonly doors: readonly Door[]; // where it is offered, in a session once there is a recording
  readonly group?: string; // views of a group share one word in the navigation, and have a row of their own below it
}

/** Shows one trace. */
export interface TraceViewDef extends ViewBase {
  readonly of: "trace";
  /** Why it has nothing to show of this trace, and what to switch on; undefined: it has something. */
  readonly needs: (trace: TraceSummary) => string | undefined;
  readonly load: () => Promise<{ readonly View: ComponentType<TraceViewProps> }>;
}

/** Shows the live session. */
export interface SessionViewDef extends ViewBase {
  readonly of: "session";
  readonly load: () => Promise<{ readonly View: ComponentType<SessionViewProps> }>;
}

/** Shows all opened traces side by side; offered if there are several. */
export interface RunViewDef extends ViewBase {
  readonly of: "run";
  readonly load: () => Promise<{ readonly View: ComponentType<SessionViewProps> }>;
}

export type ViewDef = TraceViewDef | SessionViewDef | RunViewDef;

/** Why a view has nothing to show; of a trace that was not read, nothing is known. */
export function whyEmpty(view: ViewDef, trace: TraceSummary | undefined): string | undefined {
  return view.of === "trace" && trace?.is_read === true ? view.needs(trace) : undefined;
}
