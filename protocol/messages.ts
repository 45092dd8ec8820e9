// Made by tools/gen_protocol.py from protocol/skyline.protocol; change that.

export const protocolVersion = 1;

/** A value in a table. */
export type Cell = null | number | string;

export type Nothing = Readonly<Record<string, never>>;

/** One sentence: what is wrong, where, and what to do. */
export interface Problem {
  readonly sentence: string;
}

export type Unit = "ns" | "bytes" | "count" | "number" | "share" | "per_second" | "bytes_per_second" | "text";

/** A word and what it means. */
export interface Term {
  readonly name: string;
  readonly definition: string;
}

export interface Hello {
  /** version of this schema */
  readonly protocol: number;
  /** its name and version */
  readonly program: string;
  /** what has started it, for a shell */
  readonly command: string;
  /** by which the page knows a server that was started again, and is known; empty: not at all */
  readonly resume_secret: string;
  readonly door: Door;
  /** none in a session until there is a recording */
  readonly traces: readonly TraceSummary[];
  readonly tables: readonly TableDef[];
  /** times by phase stand in this order */
  readonly phases: readonly Term[];
  /** bytes by role stand in this order */
  readonly memory_roles: readonly Term[];
  /** what slices are drawn as, by number: their categories, then communication */
  readonly kinds: readonly string[];
  readonly session?: SessionAbout;
}

export type Door = "session" | "traces";

export interface SessionAbout {
  readonly entry_point: string;
  readonly project: string;
}

export interface TraceSummary {
  readonly id: string;
  /** to be shown: a file's name, or what of a session it is */
  readonly name: string;
  /** it was read at least once; until then nothing below is known */
  readonly is_read: boolean;
  /** it is in memory; else the next question about it reads it again */
  readonly is_held: boolean;
  /** -1: not said */
  readonly rank: number;
  /** -1: not said */
  readonly world_size: number;
  /** its start after that of the earliest of the traces that were read, by Unix time */
  readonly offset_ns: number;
  readonly duration_ns: number;
  readonly events: number;
  readonly steps: number;
  readonly host_name: string;
  readonly producer: string;
  readonly format: string;
  readonly devices: readonly string[];
  /** work of a device was recorded */
  readonly has_device: boolean;
  readonly has_memory: boolean;
  readonly has_stacks: boolean;
  readonly has_modules: boolean;
  readonly has_sources: boolean;
}

export interface Traces {
  readonly traces: readonly TraceSummary[];
}

export interface TraceParams {
  readonly trace: string;
}

export interface Figure {
  readonly name: string;
  readonly unit: Unit;
  readonly value?: number;
  readonly definition: string;
}

export interface Step {
  readonly number: number;
  readonly start_ns: number;
  readonly end_ns: number;
}

export interface Fact {
  readonly name: string;
  readonly value: string;
}

export interface Overview {
  readonly trace: TraceSummary;
  readonly verdict: Verdict;
  readonly figures: readonly Figure[];
  readonly losses: readonly Loss[];
  readonly health: readonly HealthItem[];
  readonly steps: readonly Step[];
  /** what else the file says of itself */
  readonly facts: readonly Fact[];
}

export type WaitsFor = "input" | "host" | "device" | "communication" | "unknown";

export interface VerdictPart {
  readonly name: string;
  readonly definition: string;
  readonly time_ns: number;
}

/** What the step waits for; the parts add up to judged_ns. */
export interface Verdict {
  readonly waits_for: WaitsFor;
  readonly share: number;
  readonly sentence: string;
  readonly judged_ns: number;
  readonly parts: readonly VerdictPart[];
}

/** One trace of a run. */
export interface RunRank {
  /** its id */
  readonly trace: string;
  readonly name: string;
  /** it was read for this; until then nothing below the error is known */
  readonly is_known: boolean;
  /** why it cannot be; empty: no reason */
  readonly error: string;
  /** -1: not said */
  readonly rank: number;
  readonly host: string;
  /** its start after that of the earliest rank, by the clocks of their machines */
  readonly offset_ns: number;
  readonly steps: number;
  /** 0: there are no steps */
  readonly median_step_ns: number;
  /** events that are missing because data was damaged or cut off */
  readonly dropped: number;
  readonly verdict: Verdict;
}

export interface Run {
  /** each says which rank it is, and none says the same as another */
  readonly is_one_run: boolean;
  /** empty: fewer than two are known */
  readonly sentence: string;
  /** by rank; those that are not known come last */
  readonly ranks: readonly RunRank[];
  /** indices of ranks, of those that are known: whose device computes least comes first */
  readonly by_need: readonly number[];
  /** traces that are still to be read */
  readonly pending: number;
}

/** Data that was kept out, or changed, because it was wrong. */
export interface Loss {
  readonly name: string;
  readonly count: number;
  readonly sentence: string;
}

export type HealthLevel = "fine" | "note" | "wrong";

export interface HealthItem {
  readonly name: string;
  readonly level: HealthLevel;
  readonly count: number;
  readonly sentence: string;
  readonly cure: string;
}

export interface ColumnDef {
  readonly name: string;
  readonly title: string;
  readonly unit: Unit;
  readonly definition: string;
}

/** What a trace must hold for a table to have rows. */
export type Content = "events" | "steps" | "device" | "stacks" | "memory";

export interface TableDef {
  readonly name: string;
  /** one word for people */
  readonly title: string;
  /** what question it answers */
  readonly sentence: string;
  /** what a trace must hold, in words */
  readonly needs: string;
  readonly must_hold: Content;
  readonly columns: readonly ColumnDef[];
  /** the first is the usual one */
  readonly group_by: readonly string[];
}

export interface TableParams {
  readonly trace: string;
  readonly name: string;
  readonly group_by?: string;
  /** only this step's events */
  readonly step?: number;
  /** a column; numbers largest first; with + smallest first */
  readonly sort?: string;
  /** rows with a text that contains this */
  readonly filter?: string;
  /** rows to leave out at the beginning */
  readonly offset?: number;
  /** rows to send; at most 10000 */
  readonly limit?: number;
}

/** One list of cells per row, in the order of the columns. */
export interface Table {
  readonly columns: readonly ColumnDef[];
  readonly rows: readonly (readonly Cell[])[];
  readonly row_count: number;
  readonly indent_by: string;
}

export type FlameBy = "stack" | "module";

export type FlameTime = "host" | "device";

export interface FlameParams {
  readonly trace: string;
  readonly by: FlameBy;
  readonly time: FlameTime;
  readonly step?: number;
  /** also Skyline's own, those of runpy and torch's wrappers around calls of modules */
  readonly all_frames?: boolean;
}

/** A line of the program. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly function: string;
}

/** Nodes in preorder, as columns; the first is everything. */
export interface Flame {
  readonly names: readonly string[];
  readonly places: readonly Place[];
  /** of a node: an index of names */
  readonly name: readonly number[];
  /** an index of places; -1: none */
  readonly place: readonly number[];
  /** -1: the first node */
  readonly parent: readonly number[];
  readonly total_ns: readonly number[];
  readonly self_ns: readonly number[];
  readonly calls: readonly number[];
  /** nodes too small to be sent; their time is part of their parent's */
  readonly left_out: number;
}

export interface MemoryCurveParams {
  readonly trace: string;
  readonly device?: number;
  readonly start_ns?: number;
  readonly end_ns?: number;
  readonly points?: number;
}

export interface MemoryDevice {
  readonly name: string;
  readonly peak_bytes: number;
  readonly peak_ns: number;
}

/** Times are since the trace's start. */
export interface MemoryCurve {
  /** the largest peak first */
  readonly devices: readonly MemoryDevice[];
  /** the one that is shown, an index of devices */
  readonly device: number;
  readonly start_ns: number;
  readonly end_ns: number;
  readonly time_ns: readonly number[];
  /** allocated */
  readonly low_bytes: readonly number[];
  readonly high_bytes: readonly number[];
  /** by the allocator from the device; empty: not recorded */
  readonly reserved_bytes: readonly number[];
}

export interface MemoryPeakParams {
  readonly trace: string;
  readonly step?: number;
  readonly device?: number;
}

export interface MemoryNode {
  /** -1: the first node, which is the peak */
  readonly parent: number;
  readonly depth: number;
  /** its descendants are the nodes up to here */
  readonly end: number;
  readonly name: string;
  readonly class_name: string;
  /** bytes by role */
  readonly own: readonly number[];
  readonly total: readonly number[];
  readonly blocks: number;
}

export interface MemoryLine {
  readonly file: string;
  readonly line: number;
  readonly function: string;
  readonly total: readonly number[];
  readonly blocks: number;
}

export interface MemoryBlock {
  readonly bytes: number;
  readonly role: string;
  readonly name: string;
  readonly module: string;
  readonly file: string;
  readonly line: number;
  readonly op: string;
}

export interface MemoryPeak {
  readonly device: string;
  readonly peak_bytes: number;
  /** since the trace's start */
  readonly time_ns: number;
  /** its number; -1: there are no steps */
  readonly step: number;
  /** known to live besides, from before the recording */
  readonly older_bytes: number;
  readonly roles: readonly number[];
  readonly modules: readonly MemoryNode[];
  readonly lines: readonly MemoryLine[];
  /** the largest */
  readonly blocks: readonly MemoryBlock[];
  readonly block_count: number;
  readonly links: readonly MemoryLink[];
}

/** Bytes that a module, with those inside it, owes to a line. */
export interface MemoryLink {
  readonly module: number;
  readonly line: number;
  readonly bytes: number;
}

export interface BreakdownParams {
  readonly trace: string;
  readonly step?: number;
}

/** Nanoseconds by phase. */
export interface Times {
  readonly host: readonly number[];
  readonly device: readonly number[];
  readonly calls: number;
}

export interface OpUse {
  readonly name: string;
  readonly phase: string;
  readonly input_dims: string;
  readonly calls: number;
  readonly host_ns: number;
  readonly device_ns: number;
}

export interface BreakdownNode {
  /** -1: the first node, which is the iteration */
  readonly parent: number;
  readonly depth: number;
  /** its descendants are the nodes up to here */
  readonly end: number;
  /** of a module, or the file of a line */
  readonly name: string;
  readonly class_name: string;
  readonly function: string;
  readonly line: number;
  /** not in a child; of a line with Python that is only near it */
  readonly own: Times;
  /** own and those of all descendants */
  readonly total: Times;
  /** its longest operators */
  readonly uses: readonly OpUse[];
}

export interface LineTimes {
  readonly file: string;
  readonly line: number;
  readonly function: string;
  readonly own: Times;
  readonly total: Times;
  /** host time between operators next to the line, and no sample says in which line; not in own */
  readonly near_ns: number;
  /** what DataLoader workers and other threads spend there and below, from samples; not in total */
  readonly elsewhere_ns: number;
}

/** Time that a module, with those inside it, spends below a line. */
export interface CodeLink {
  readonly module: number;
  readonly line: number;
  readonly host_ns: number;
  readonly device_ns: number;
}

export interface Breakdown {
  /** -1: there are no steps */
  readonly step_number: number;
  readonly start_ns: number;
  readonly end_ns: number;
  readonly has_device: boolean;
  readonly modules: readonly BreakdownNode[];
  readonly lines: readonly BreakdownNode[];
  readonly flat_lines: readonly LineTimes[];
  /** between modules and flat_lines */
  readonly links: readonly CodeLink[];
  /** per module the line that calls it, an index of flat_lines; -1: not known */
  readonly places: readonly number[];
}

export type TrackKind = "thread" | "stream" | "other";

export interface TimelineTrack {
  readonly id: number;
  readonly name: string;
  readonly process: string;
  readonly kind: TrackKind;
  /** depths of all its lanes */
  readonly rows: number;
  readonly slices: number;
}

export interface TimelineCounter {
  readonly id: number;
  readonly name: string;
  readonly unit: Unit;
  readonly low: number;
  readonly high: number;
  readonly definition: string;
}

export interface Timeline {
  readonly start_ns: number;
  readonly end_ns: number;
  readonly tracks: readonly TimelineTrack[];
  readonly counters: readonly TimelineCounter[];
  readonly steps: readonly Step[];
}

export interface TilesParams {
  readonly trace: string;
  readonly level: number;
  readonly index: number;
  readonly tracks: readonly number[];
}

export interface CounterTilesParams {
  readonly trace: string;
  readonly level: number;
  readonly index: number;
  readonly counters: readonly number[];
}

export interface SliceParams {
  readonly trace: string;
  readonly slice: number;
}

export interface SliceRef {
  readonly slice: number;
  readonly name: string;
  readonly category: string;
  /** what it is drawn as */
  readonly kind: string;
  readonly track: number;
  readonly row: number;
  readonly start_ns: number;
  readonly dur_ns: number;
}

export type FlowKind = "op" | "launch" | "activity" | "forward" | "backward";

export interface Flow {
  readonly kind: FlowKind;
  readonly slice: SliceRef;
}

export interface SliceDetails {
  readonly slice: SliceRef;
  readonly self_ns: number;
  /** -1: none */
  readonly step: number;
  /** the outermost first */
  readonly parents: readonly SliceRef[];
  readonly flows: readonly Flow[];
  /** the outermost first */
  readonly stack: readonly Place[];
  readonly module: string;
  readonly args: readonly Fact[];
}

export interface SearchParams {
  readonly trace: string;
  readonly text: string;
  readonly limit?: number;
}

/** In order of time; total also counts those beyond the limit. */
export interface Search {
  readonly total: number;
  readonly slices: readonly SliceRef[];
}

export interface RangeParams {
  readonly trace: string;
  readonly start_ns: number;
  readonly end_ns: number;
  readonly tracks: readonly number[];
}

export interface RangeCategory {
  readonly name: string;
  readonly count: number;
  readonly busy_ns: number;
}

export interface RangeName {
  readonly name: string;
  readonly category: string;
  readonly kind: string;
  readonly count: number;
  readonly total_ns: number;
}

export interface Range {
  readonly dur_ns: number;
  readonly categories: readonly RangeCategory[];
  readonly names: readonly RangeName[];
}

/** Without a trace, those of the session's project. */
export interface SourcesParams {
  readonly trace?: string;
}

export interface SourceFile {
  readonly path: string;
  readonly name: string;
  readonly hash: string;
  readonly has_text: boolean;
}

export interface Sources {
  readonly files: readonly SourceFile[];
}

export interface SourceParams {
  readonly trace?: string;
  readonly path: string;
}

export type SourceOrigin = "project" | "recording" | "source_root";

export interface Source {
  readonly path: string;
  readonly text: string;
  readonly hash: string;
  readonly origin: SourceOrigin;
  /** what is to be known before it is trusted: that it has changed since */
  readonly note?: string;
}

export type SessionPhase = "starting" | "profiling" | "idle";

export type TroubleKind = "user_code" | "ended" | "stuck" | "stalled" | "interrupted" | "ours" | "out_of_memory";

export interface Trouble {
  readonly kind: TroubleKind;
  readonly sentence: string;
  readonly path: string;
  readonly line: number;
}

export interface HistoryEntry {
  readonly save: number;
  /** when it was profiled, Unix time */
  readonly time_ms: number;
  /** in a session before this one; its saves were numbered by themselves */
  readonly is_earlier: boolean;
  readonly changed: readonly string[];
  readonly batch_size: number;
  /** 0: there is no result */
  readonly samples_per_second: number;
  /** of it, as a share */
  readonly uncertainty: number;
  readonly peak_bytes: number;
  /** empty: none */
  readonly trouble: string;
  readonly is_complete: boolean;
}

/** The end of it, if it is long. No path: it is not kept. */
export interface Output {
  readonly path: string;
  readonly text: string;
  readonly is_cut: boolean;
}

export interface SessionState {
  readonly state: SessionPhase;
  /** number of the profile */
  readonly save: number;
  readonly phase: string;
  /** how long it lasts by now */
  readonly phase_ms: number;
  readonly fraction: number;
  /** the profile that the newest result is of; 0: there is none */
  readonly result_save: number;
  readonly is_stale: boolean;
  readonly is_unsaved: boolean;
  readonly trouble?: Trouble;
  readonly note: string;
  readonly changed: readonly string[];
  /** there is something to ask for with `output` */
  readonly has_output: boolean;
  readonly history: readonly HistoryEntry[];
}

/** The true median lies between low_ns and high_ns with a chance of 95 %; uncertainty is half of that over the median, and 1 where it is not known. */
export interface IterationTime {
  readonly median_ns: number;
  readonly low_ns: number;
  readonly high_ns: number;
  readonly quarter_ns: number;
  readonly three_quarters_ns: number;
  readonly count: number;
  readonly uncertainty: number;
}

export interface Literal {
  readonly path: string;
  readonly line: number;
  readonly begin_column: number;
  readonly end_column: number;
  readonly value: number;
  readonly file_hash: string;
}

export interface BatchSample {
  readonly batch_size: number;
  readonly median_ns: number;
  readonly samples_per_second: number;
  readonly uncertainty: number;
  readonly peak_bytes: number;
}

export interface BatchFailure {
  readonly batch_size: number;
  readonly sentence: string;
}

/** Columns by batch size. Intervals hold a new measurement with a chance of about 90 %. */
export interface Predictions {
  readonly batch_size: readonly number[];
  readonly samples_per_second: readonly number[];
  readonly low: readonly number[];
  readonly high: readonly number[];
  readonly peak_bytes: readonly number[];
  readonly peak_low: readonly number[];
  readonly peak_high: readonly number[];
  readonly is_extrapolated: readonly boolean[];
}

export interface BatchModels {
  /** why the model of time should not be relied upon; empty: no reason */
  readonly time_doubt: string;
  readonly memory_doubt: string;
  /** batch size that fits; 0: not even 1 */
  readonly largest: number;
  readonly largest_is_verified: boolean;
  /** one more would be too much */
  readonly largest_is_reached: boolean;
  /** why it should not be relied upon; empty: no reason */
  readonly largest_doubt: string;
  /** batch size with the most samples per second */
  readonly best: number;
  readonly best_samples_per_second: number;
  /** the smallest with 90 % of it */
  readonly knee: number;
  readonly predictions: Predictions;
}

export interface SessionResult {
  readonly save: number;
  readonly source_hash: string;
  readonly batch_size: number;
  readonly device: string;
  readonly in_fresh_process: boolean;
  /** as well as the budget allows; else the number is a first one */
  readonly is_timed: boolean;
  readonly is_complete: boolean;
  /** sentences, the most important first */
  readonly headline: readonly string[];
  readonly iteration: IterationTime;
  readonly samples_per_second: number;
  /** 0: the input is no sequence of token ids */
  readonly tokens_per_second: number;
  readonly compile_ns: number;
  readonly peak_bytes: number;
  readonly resident_bytes: number;
  readonly capacity_bytes: number;
  readonly capacity_source: string;
  readonly literal?: Literal;
  /** why there is none */
  readonly no_literal: string;
  readonly samples: readonly BatchSample[];
  readonly failures: readonly BatchFailure[];
  readonly models?: BatchModels;
}

export interface SessionBreakdown {
  readonly save: number;
  readonly trace: string;
  readonly breakdown: Breakdown;
}

export interface SessionMemory {
  readonly save: number;
  readonly trace: string;
  readonly memory: MemoryPeak;
}

export interface EditParams {
  readonly save: number;
  readonly batch_size: number;
}

/** Columns are UTF-16 units from 0, as editors count. */
export interface Edit {
  readonly path: string;
  readonly line: number;
  readonly begin_column: number;
  readonly end_column: number;
  readonly old_text: string;
  readonly new_text: string;
  readonly file_hash: string;
}

export interface ApplyParams {
  readonly save: number;
  readonly batch_size: number;
  readonly file_hash: string;
}

export interface UnsavedParams {
  readonly is_unsaved: boolean;
}

/** Requests by name: what is sent and what comes back. */
export interface Methods {
  /** What this server serves and the words it uses. The first request of every client. */
  readonly hello: { readonly params: Nothing; readonly result: Hello };
  /** Reads a trace, unless it is in memory, and tells what it is. Every other question about it would read it as well; this is for who wants to know when that is done. */
  readonly open_trace: { readonly params: TraceParams; readonly result: TraceSummary };
  /** The opened traces as ranks of one run. Answers with what is known, and has the others read in the background, one after another. */
  readonly run: { readonly params: Nothing; readonly result: Run };
  /** What a trace is, what it waits for, all named figures, what was lost, and whether the figures can be trusted. */
  readonly overview: { readonly params: TraceParams; readonly result: Overview };
  /** A window of the rows of one analysis. */
  readonly table: { readonly params: TableParams; readonly result: Table };
  /** Where time goes, as a tree of calls. */
  readonly flame: { readonly params: FlameParams; readonly result: Flame };
  /** Memory over time, with at most as many points as were asked for; low and high are the extremes around each point. */
  readonly memory_curve: { readonly params: MemoryCurveParams; readonly result: MemoryCurve };
  /** What lives in memory when a step needs the most of it. */
  readonly memory_peak: { readonly params: MemoryPeakParams; readonly result: MemoryPeak };
  /** One step's time by module and by line. */
  readonly breakdown: { readonly params: BreakdownParams; readonly result: Breakdown };
  /** The tracks, counters and steps of a trace's timeline. */
  readonly timeline: { readonly params: TraceParams; readonly result: Timeline };
  /** Slices of some tracks in one tile of time. */
  readonly tiles: { readonly params: TilesParams; readonly result: ArrayBuffer };
  /** Values of some counters in one tile of time. */
  readonly counter_tiles: { readonly params: CounterTilesParams; readonly result: ArrayBuffer };
  /** Everything that is known of one slice, with what it is linked to. */
  readonly slice: { readonly params: SliceParams; readonly result: SliceDetails };
  /** Slices by name. */
  readonly search: { readonly params: SearchParams; readonly result: Search };
  /** What happens within a stretch of time. */
  readonly range: { readonly params: RangeParams; readonly result: Range };
  /** The source files that can be shown. */
  readonly sources: { readonly params: SourcesParams; readonly result: Sources };
  /** The text of one of them. */
  readonly source: { readonly params: SourceParams; readonly result: Source };
  /** What would have to be changed in the source for another batch size. */
  readonly edit: { readonly params: EditParams; readonly result: Edit };
  /** Makes that change, if the file is still the one it was found in. */
  readonly apply: { readonly params: ApplyParams; readonly result: Nothing };
  /** An editor says whether it holds changes that are not in the files. */
  readonly unsaved: { readonly params: UnsavedParams; readonly result: Nothing };
  /** Profiles once more, as if something had been saved. */
  readonly profile_again: { readonly params: Nothing; readonly result: Nothing };
  /** Ends the profile that runs. */
  readonly cancel_profile: { readonly params: Nothing; readonly result: Nothing };
  /** What a script of the session has printed in its newest profile. */
  readonly output: { readonly params: Nothing; readonly result: Output };
}

/** What the server says by itself. */
export interface Events {
  /** What the session does at the moment. The newest of each event is also sent when a client says hello. */
  readonly session: SessionState;
  /** What a profile has found so far; again whenever more is known. */
  readonly result: SessionResult;
  /** Where the time of one iteration goes. */
  readonly breakdown: SessionBreakdown;
  /** Where the memory goes. */
  readonly memory: SessionMemory;
  /** What is known of the traces has changed: one was read, or let go of to make room. */
  readonly traces: Traces;
  /** More is known of the ranks. */
  readonly run: Run;
}
