// Made by tools/gen_protocol.py from protocol/skyline.protocol; change that.
// clang-format off
#include "serve/messages/protocol.h"

#include "serve/messages/put.h"

namespace skyline::serve::protocol {

void write(JsonWriter& json, [[maybe_unused]] const Nothing& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  json.end_object();
}

void write(JsonWriter& json, const Problem& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "sentence", message.sentence);
  json.end_object();
}

std::string_view name_of(Unit word) {
  constexpr std::string_view kWords[] = {"ns", "bytes", "count", "number", "share", "per_second", "bytes_per_second", "text"};
  return kWords[static_cast<size_t>(word)];
}

void write(JsonWriter& json, const Term& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "name", message.name);
  put(json, "definition", message.definition);
  json.end_object();
}

void write(JsonWriter& json, const Hello& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "protocol", message.protocol);
  put(json, "program", message.program);
  put(json, "command", message.command);
  put(json, "resume_secret", message.resume_secret);
  put(json, "door", message.door);
  put(json, "traces", message.traces);
  put(json, "tables", message.tables);
  put(json, "phases", message.phases);
  put(json, "memory_roles", message.memory_roles);
  put(json, "kinds", message.kinds);
  if (message.session) put(json, "session", *message.session);
  json.end_object();
}

std::string_view name_of(Door word) {
  constexpr std::string_view kWords[] = {"session", "traces"};
  return kWords[static_cast<size_t>(word)];
}

void write(JsonWriter& json, const SessionAbout& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "entry_point", message.entry_point);
  put(json, "project", message.project);
  json.end_object();
}

void write(JsonWriter& json, const TraceSummary& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "id", message.id);
  put(json, "name", message.name);
  put(json, "is_read", message.is_read);
  put(json, "is_held", message.is_held);
  put(json, "rank", message.rank);
  put(json, "world_size", message.world_size);
  put(json, "offset_ns", message.offset_ns);
  put(json, "duration_ns", message.duration_ns);
  put(json, "events", message.events);
  put(json, "steps", message.steps);
  put(json, "host_name", message.host_name);
  put(json, "producer", message.producer);
  put(json, "format", message.format);
  put(json, "devices", message.devices);
  put(json, "has_device", message.has_device);
  put(json, "has_memory", message.has_memory);
  put(json, "has_stacks", message.has_stacks);
  put(json, "has_modules", message.has_modules);
  put(json, "has_sources", message.has_sources);
  json.end_object();
}

void write(JsonWriter& json, const Traces& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "traces", message.traces);
  json.end_object();
}

void write(JsonWriter& json, const TraceParams& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "trace", message.trace);
  json.end_object();
}

void write(JsonWriter& json, const Figure& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "name", message.name);
  put(json, "unit", message.unit);
  if (message.value) put(json, "value", *message.value);
  put(json, "definition", message.definition);
  json.end_object();
}

void write(JsonWriter& json, const Step& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "number", message.number);
  put(json, "start_ns", message.start_ns);
  put(json, "end_ns", message.end_ns);
  json.end_object();
}

void write(JsonWriter& json, const Fact& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "name", message.name);
  put(json, "value", message.value);
  json.end_object();
}

void write(JsonWriter& json, const Overview& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "trace", message.trace);
  put(json, "verdict", message.verdict);
  put(json, "figures", message.figures);
  put(json, "losses", message.losses);
  put(json, "health", message.health);
  put(json, "steps", message.steps);
  put(json, "facts", message.facts);
  json.end_object();
}

std::string_view name_of(WaitsFor word) {
  constexpr std::string_view kWords[] = {"input", "host", "device", "communication", "unknown"};
  return kWords[static_cast<size_t>(word)];
}

void write(JsonWriter& json, const VerdictPart& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "name", message.name);
  put(json, "definition", message.definition);
  put(json, "time_ns", message.time_ns);
  json.end_object();
}

void write(JsonWriter& json, const Verdict& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "waits_for", message.waits_for);
  put(json, "share", message.share);
  put(json, "sentence", message.sentence);
  put(json, "judged_ns", message.judged_ns);
  put(json, "parts", message.parts);
  json.end_object();
}

void write(JsonWriter& json, const RunRank& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "trace", message.trace);
  put(json, "name", message.name);
  put(json, "is_known", message.is_known);
  put(json, "error", message.error);
  put(json, "rank", message.rank);
  put(json, "host", message.host);
  put(json, "offset_ns", message.offset_ns);
  put(json, "steps", message.steps);
  put(json, "median_step_ns", message.median_step_ns);
  put(json, "dropped", message.dropped);
  put(json, "verdict", message.verdict);
  json.end_object();
}

void write(JsonWriter& json, const Run& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "is_one_run", message.is_one_run);
  put(json, "sentence", message.sentence);
  put(json, "ranks", message.ranks);
  put(json, "by_need", message.by_need);
  put(json, "pending", message.pending);
  json.end_object();
}

void write(JsonWriter& json, const Loss& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "name", message.name);
  put(json, "count", message.count);
  put(json, "sentence", message.sentence);
  json.end_object();
}

std::string_view name_of(HealthLevel word) {
  constexpr std::string_view kWords[] = {"fine", "note", "wrong"};
  return kWords[static_cast<size_t>(word)];
}

void write(JsonWriter& json, const HealthItem& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "name", message.name);
  put(json, "level", message.level);
  put(json, "count", message.count);
  put(json, "sentence", message.sentence);
  put(json, "cure", message.cure);
  json.end_object();
}

void write(JsonWriter& json, const ColumnDef& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "name", message.name);
  put(json, "title", message.title);
  put(json, "unit", message.unit);
  put(json, "definition", message.definition);
  json.end_object();
}

std::string_view name_of(Content word) {
  constexpr std::string_view kWords[] = {"events", "steps", "device", "stacks", "memory"};
  return kWords[static_cast<size_t>(word)];
}

void write(JsonWriter& json, const TableDef& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "name", message.name);
  put(json, "title", message.title);
  put(json, "sentence", message.sentence);
  put(json, "needs", message.needs);
  put(json, "must_hold", message.must_hold);
  put(json, "columns", message.columns);
  put(json, "group_by", message.group_by);
  json.end_object();
}

void write(JsonWriter& json, const TableParams& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "trace", message.trace);
  put(json, "name", message.name);
  if (message.group_by) put(json, "group_by", *message.group_by);
  if (message.step) put(json, "step", *message.step);
  if (message.sort) put(json, "sort", *message.sort);
  if (message.filter) put(json, "filter", *message.filter);
  if (message.offset) put(json, "offset", *message.offset);
  if (message.limit) put(json, "limit", *message.limit);
  json.end_object();
}

void write(JsonWriter& json, const Table& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "columns", message.columns);
  put(json, "rows", message.rows);
  put(json, "row_count", message.row_count);
  put(json, "indent_by", message.indent_by);
  json.end_object();
}

std::string_view name_of(FlameBy word) {
  constexpr std::string_view kWords[] = {"stack", "module"};
  return kWords[static_cast<size_t>(word)];
}

std::string_view name_of(FlameTime word) {
  constexpr std::string_view kWords[] = {"host", "device"};
  return kWords[static_cast<size_t>(word)];
}

void write(JsonWriter& json, const FlameParams& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "trace", message.trace);
  put(json, "by", message.by);
  put(json, "time", message.time);
  if (message.step) put(json, "step", *message.step);
  if (message.all_frames) put(json, "all_frames", *message.all_frames);
  json.end_object();
}

void write(JsonWriter& json, const Place& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "file", message.file);
  put(json, "line", message.line);
  put(json, "function", message.function);
  json.end_object();
}

void write(JsonWriter& json, const Flame& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "names", message.names);
  put(json, "places", message.places);
  put(json, "name", message.name);
  put(json, "place", message.place);
  put(json, "parent", message.parent);
  put(json, "total_ns", message.total_ns);
  put(json, "self_ns", message.self_ns);
  put(json, "calls", message.calls);
  put(json, "left_out", message.left_out);
  json.end_object();
}

void write(JsonWriter& json, const MemoryCurveParams& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "trace", message.trace);
  if (message.device) put(json, "device", *message.device);
  if (message.start_ns) put(json, "start_ns", *message.start_ns);
  if (message.end_ns) put(json, "end_ns", *message.end_ns);
  if (message.points) put(json, "points", *message.points);
  json.end_object();
}

void write(JsonWriter& json, const MemoryDevice& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "name", message.name);
  put(json, "peak_bytes", message.peak_bytes);
  put(json, "peak_ns", message.peak_ns);
  json.end_object();
}

void write(JsonWriter& json, const MemoryCurve& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "devices", message.devices);
  put(json, "device", message.device);
  put(json, "start_ns", message.start_ns);
  put(json, "end_ns", message.end_ns);
  put(json, "time_ns", message.time_ns);
  put(json, "low_bytes", message.low_bytes);
  put(json, "high_bytes", message.high_bytes);
  put(json, "reserved_bytes", message.reserved_bytes);
  json.end_object();
}

void write(JsonWriter& json, const MemoryPeakParams& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "trace", message.trace);
  if (message.step) put(json, "step", *message.step);
  if (message.device) put(json, "device", *message.device);
  json.end_object();
}

void write(JsonWriter& json, const MemoryNode& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "parent", message.parent);
  put(json, "depth", message.depth);
  put(json, "end", message.end);
  put(json, "name", message.name);
  put(json, "class_name", message.class_name);
  put(json, "own", message.own);
  put(json, "total", message.total);
  put(json, "blocks", message.blocks);
  json.end_object();
}

void write(JsonWriter& json, const MemoryLine& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "file", message.file);
  put(json, "line", message.line);
  put(json, "function", message.function);
  put(json, "total", message.total);
  put(json, "blocks", message.blocks);
  json.end_object();
}

void write(JsonWriter& json, const MemoryBlock& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "bytes", message.bytes);
  put(json, "role", message.role);
  put(json, "name", message.name);
  put(json, "module", message.module);
  put(json, "file", message.file);
  put(json, "line", message.line);
  put(json, "op", message.op);
  json.end_object();
}

void write(JsonWriter& json, const MemoryPeak& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "device", message.device);
  put(json, "peak_bytes", message.peak_bytes);
  put(json, "time_ns", message.time_ns);
  put(json, "step", message.step);
  put(json, "older_bytes", message.older_bytes);
  put(json, "roles", message.roles);
  put(json, "modules", message.modules);
  put(json, "lines", message.lines);
  put(json, "blocks", message.blocks);
  put(json, "block_count", message.block_count);
  put(json, "links", message.links);
  json.end_object();
}

void write(JsonWriter& json, const MemoryLink& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "module", message.module);
  put(json, "line", message.line);
  put(json, "bytes", message.bytes);
  json.end_object();
}

void write(JsonWriter& json, const BreakdownParams& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "trace", message.trace);
  if (message.step) put(json, "step", *message.step);
  json.end_object();
}

void write(JsonWriter& json, const Times& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "host", message.host);
  put(json, "device", message.device);
  put(json, "calls", message.calls);
  json.end_object();
}

void write(JsonWriter& json, const OpUse& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "name", message.name);
  put(json, "phase", message.phase);
  put(json, "input_dims", message.input_dims);
  put(json, "calls", message.calls);
  put(json, "host_ns", message.host_ns);
  put(json, "device_ns", message.device_ns);
  json.end_object();
}

void write(JsonWriter& json, const BreakdownNode& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "parent", message.parent);
  put(json, "depth", message.depth);
  put(json, "end", message.end);
  put(json, "name", message.name);
  put(json, "class_name", message.class_name);
  put(json, "function", message.function);
  put(json, "line", message.line);
  put(json, "own", message.own);
  put(json, "total", message.total);
  put(json, "uses", message.uses);
  json.end_object();
}

void write(JsonWriter& json, const LineTimes& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "file", message.file);
  put(json, "line", message.line);
  put(json, "function", message.function);
  put(json, "own", message.own);
  put(json, "total", message.total);
  put(json, "near_ns", message.near_ns);
  put(json, "elsewhere_ns", message.elsewhere_ns);
  json.end_object();
}

void write(JsonWriter& json, const CodeLink& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "module", message.module);
  put(json, "line", message.line);
  put(json, "host_ns", message.host_ns);
  put(json, "device_ns", message.device_ns);
  json.end_object();
}

void write(JsonWriter& json, const Breakdown& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "step_number", message.step_number);
  put(json, "start_ns", message.start_ns);
  put(json, "end_ns", message.end_ns);
  put(json, "has_device", message.has_device);
  put(json, "modules", message.modules);
  put(json, "lines", message.lines);
  put(json, "flat_lines", message.flat_lines);
  put(json, "links", message.links);
  put(json, "places", message.places);
  json.end_object();
}

std::string_view name_of(TrackKind word) {
  constexpr std::string_view kWords[] = {"thread", "stream", "other"};
  return kWords[static_cast<size_t>(word)];
}

void write(JsonWriter& json, const TimelineTrack& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "id", message.id);
  put(json, "name", message.name);
  put(json, "process", message.process);
  put(json, "kind", message.kind);
  put(json, "rows", message.rows);
  put(json, "slices", message.slices);
  json.end_object();
}

void write(JsonWriter& json, const TimelineCounter& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "id", message.id);
  put(json, "name", message.name);
  put(json, "unit", message.unit);
  put(json, "low", message.low);
  put(json, "high", message.high);
  put(json, "definition", message.definition);
  json.end_object();
}

void write(JsonWriter& json, const Timeline& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "start_ns", message.start_ns);
  put(json, "end_ns", message.end_ns);
  put(json, "tracks", message.tracks);
  put(json, "counters", message.counters);
  put(json, "steps", message.steps);
  json.end_object();
}

void write(JsonWriter& json, const TilesParams& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "trace", message.trace);
  put(json, "level", message.level);
  put(json, "index", message.index);
  put(json, "tracks", message.tracks);
  json.end_object();
}

void write(JsonWriter& json, const CounterTilesParams& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "trace", message.trace);
  put(json, "level", message.level);
  put(json, "index", message.index);
  put(json, "counters", message.counters);
  json.end_object();
}

void write(JsonWriter& json, const SliceParams& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "trace", message.trace);
  put(json, "slice", message.slice);
  json.end_object();
}

void write(JsonWriter& json, const SliceRef& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "slice", message.slice);
  put(json, "name", message.name);
  put(json, "category", message.category);
  put(json, "kind", message.kind);
  put(json, "track", message.track);
  put(json, "row", message.row);
  put(json, "start_ns", message.start_ns);
  put(json, "dur_ns", message.dur_ns);
  json.end_object();
}

std::string_view name_of(FlowKind word) {
  constexpr std::string_view kWords[] = {"op", "launch", "activity", "forward", "backward"};
  return kWords[static_cast<size_t>(word)];
}

void write(JsonWriter& json, const Flow& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "kind", message.kind);
  put(json, "slice", message.slice);
  json.end_object();
}

void write(JsonWriter& json, const SliceDetails& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "slice", message.slice);
  put(json, "self_ns", message.self_ns);
  put(json, "step", message.step);
  put(json, "parents", message.parents);
  put(json, "flows", message.flows);
  put(json, "stack", message.stack);
  put(json, "module", message.module);
  put(json, "args", message.args);
  json.end_object();
}

void write(JsonWriter& json, const SearchParams& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "trace", message.trace);
  put(json, "text", message.text);
  if (message.limit) put(json, "limit", *message.limit);
  json.end_object();
}

void write(JsonWriter& json, const Search& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "total", message.total);
  put(json, "slices", message.slices);
  json.end_object();
}

void write(JsonWriter& json, const RangeParams& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "trace", message.trace);
  put(json, "start_ns", message.start_ns);
  put(json, "end_ns", message.end_ns);
  put(json, "tracks", message.tracks);
  json.end_object();
}

void write(JsonWriter& json, const RangeCategory& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "name", message.name);
  put(json, "count", message.count);
  put(json, "busy_ns", message.busy_ns);
  json.end_object();
}

void write(JsonWriter& json, const RangeName& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "name", message.name);
  put(json, "category", message.category);
  put(json, "kind", message.kind);
  put(json, "count", message.count);
  put(json, "total_ns", message.total_ns);
  json.end_object();
}

void write(JsonWriter& json, const Range& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "dur_ns", message.dur_ns);
  put(json, "categories", message.categories);
  put(json, "names", message.names);
  json.end_object();
}

void write(JsonWriter& json, const SourcesParams& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  if (message.trace) put(json, "trace", *message.trace);
  json.end_object();
}

void write(JsonWriter& json, const SourceFile& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "path", message.path);
  put(json, "name", message.name);
  put(json, "hash", message.hash);
  put(json, "has_text", message.has_text);
  json.end_object();
}

void write(JsonWriter& json, const Sources& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "files", message.files);
  json.end_object();
}

void write(JsonWriter& json, const SourceParams& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  if (message.trace) put(json, "trace", *message.trace);
  put(json, "path", message.path);
  json.end_object();
}

std::string_view name_of(SourceOrigin word) {
  constexpr std::string_view kWords[] = {"project", "recording", "source_root"};
  return kWords[static_cast<size_t>(word)];
}

void write(JsonWriter& json, const Source& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "path", message.path);
  put(json, "text", message.text);
  put(json, "hash", message.hash);
  put(json, "origin", message.origin);
  if (message.note) put(json, "note", *message.note);
  json.end_object();
}

std::string_view name_of(SessionPhase word) {
  constexpr std::string_view kWords[] = {"starting", "profiling", "idle"};
  return kWords[static_cast<size_t>(word)];
}

std::string_view name_of(TroubleKind word) {
  constexpr std::string_view kWords[] = {"user_code", "ended", "stuck", "stalled", "interrupted", "ours", "out_of_memory"};
  return kWords[static_cast<size_t>(word)];
}

void write(JsonWriter& json, const Trouble& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "kind", message.kind);
  put(json, "sentence", message.sentence);
  put(json, "path", message.path);
  put(json, "line", message.line);
  json.end_object();
}

void write(JsonWriter& json, const HistoryEntry& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "save", message.save);
  put(json, "time_ms", message.time_ms);
  put(json, "is_earlier", message.is_earlier);
  put(json, "changed", message.changed);
  put(json, "batch_size", message.batch_size);
  put(json, "samples_per_second", message.samples_per_second);
  put(json, "uncertainty", message.uncertainty);
  put(json, "peak_bytes", message.peak_bytes);
  put(json, "trouble", message.trouble);
  put(json, "is_complete", message.is_complete);
  json.end_object();
}

void write(JsonWriter& json, const Output& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "path", message.path);
  put(json, "text", message.text);
  put(json, "is_cut", message.is_cut);
  json.end_object();
}

void write(JsonWriter& json, const SessionState& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "state", message.state);
  put(json, "save", message.save);
  put(json, "phase", message.phase);
  put(json, "phase_ms", message.phase_ms);
  put(json, "fraction", message.fraction);
  put(json, "result_save", message.result_save);
  put(json, "is_stale", message.is_stale);
  put(json, "is_unsaved", message.is_unsaved);
  if (message.trouble) put(json, "trouble", *message.trouble);
  put(json, "note", message.note);
  put(json, "changed", message.changed);
  put(json, "has_output", message.has_output);
  put(json, "history", message.history);
  json.end_object();
}

void write(JsonWriter& json, const IterationTime& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "median_ns", message.median_ns);
  put(json, "low_ns", message.low_ns);
  put(json, "high_ns", message.high_ns);
  put(json, "quarter_ns", message.quarter_ns);
  put(json, "three_quarters_ns", message.three_quarters_ns);
  put(json, "count", message.count);
  put(json, "uncertainty", message.uncertainty);
  json.end_object();
}

void write(JsonWriter& json, const Literal& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "path", message.path);
  put(json, "line", message.line);
  put(json, "begin_column", message.begin_column);
  put(json, "end_column", message.end_column);
  put(json, "value", message.value);
  put(json, "file_hash", message.file_hash);
  json.end_object();
}

void write(JsonWriter& json, const BatchSample& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "batch_size", message.batch_size);
  put(json, "median_ns", message.median_ns);
  put(json, "samples_per_second", message.samples_per_second);
  put(json, "uncertainty", message.uncertainty);
  put(json, "peak_bytes", message.peak_bytes);
  json.end_object();
}

void write(JsonWriter& json, const BatchFailure& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "batch_size", message.batch_size);
  put(json, "sentence", message.sentence);
  json.end_object();
}

void write(JsonWriter& json, const Predictions& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "batch_size", message.batch_size);
  put(json, "samples_per_second", message.samples_per_second);
  put(json, "low", message.low);
  put(json, "high", message.high);
  put(json, "peak_bytes", message.peak_bytes);
  put(json, "peak_low", message.peak_low);
  put(json, "peak_high", message.peak_high);
  put(json, "is_extrapolated", message.is_extrapolated);
  json.end_object();
}

void write(JsonWriter& json, const BatchModels& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "time_doubt", message.time_doubt);
  put(json, "memory_doubt", message.memory_doubt);
  put(json, "largest", message.largest);
  put(json, "largest_is_verified", message.largest_is_verified);
  put(json, "largest_is_reached", message.largest_is_reached);
  put(json, "largest_doubt", message.largest_doubt);
  put(json, "best", message.best);
  put(json, "best_samples_per_second", message.best_samples_per_second);
  put(json, "knee", message.knee);
  put(json, "predictions", message.predictions);
  json.end_object();
}

void write(JsonWriter& json, const SessionResult& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "save", message.save);
  put(json, "source_hash", message.source_hash);
  put(json, "batch_size", message.batch_size);
  put(json, "device", message.device);
  put(json, "in_fresh_process", message.in_fresh_process);
  put(json, "is_timed", message.is_timed);
  put(json, "is_complete", message.is_complete);
  put(json, "headline", message.headline);
  put(json, "iteration", message.iteration);
  put(json, "samples_per_second", message.samples_per_second);
  put(json, "tokens_per_second", message.tokens_per_second);
  put(json, "compile_ns", message.compile_ns);
  put(json, "peak_bytes", message.peak_bytes);
  put(json, "resident_bytes", message.resident_bytes);
  put(json, "capacity_bytes", message.capacity_bytes);
  put(json, "capacity_source", message.capacity_source);
  if (message.literal) put(json, "literal", *message.literal);
  put(json, "no_literal", message.no_literal);
  put(json, "samples", message.samples);
  put(json, "failures", message.failures);
  if (message.models) put(json, "models", *message.models);
  json.end_object();
}

void write(JsonWriter& json, const SessionBreakdown& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "save", message.save);
  put(json, "trace", message.trace);
  put(json, "breakdown", message.breakdown);
  json.end_object();
}

void write(JsonWriter& json, const SessionMemory& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "save", message.save);
  put(json, "trace", message.trace);
  put(json, "memory", message.memory);
  json.end_object();
}

void write(JsonWriter& json, const EditParams& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "save", message.save);
  put(json, "batch_size", message.batch_size);
  json.end_object();
}

void write(JsonWriter& json, const Edit& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "path", message.path);
  put(json, "line", message.line);
  put(json, "begin_column", message.begin_column);
  put(json, "end_column", message.end_column);
  put(json, "old_text", message.old_text);
  put(json, "new_text", message.new_text);
  put(json, "file_hash", message.file_hash);
  json.end_object();
}

void write(JsonWriter& json, const ApplyParams& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "save", message.save);
  put(json, "batch_size", message.batch_size);
  put(json, "file_hash", message.file_hash);
  json.end_object();
}

void write(JsonWriter& json, const UnsavedParams& message) {
  json.begin_object(JsonWriter::Layout::kInline);
  put(json, "is_unsaved", message.is_unsaved);
  json.end_object();
}

void read([[maybe_unused]] const JsonFields& fields, [[maybe_unused]] Nothing& message) {
}

void read(const JsonFields& fields, TraceParams& message) {
  message.trace = fields.text("trace");
}

void read(const JsonFields& fields, TableParams& message) {
  message.trace = fields.text("trace");
  message.name = fields.text("name");
  if (fields.has("group_by")) message.group_by = fields.text("group_by");
  if (fields.has("step")) message.step = fields.integer("step");
  if (fields.has("sort")) message.sort = fields.text("sort");
  if (fields.has("filter")) message.filter = fields.text("filter");
  if (fields.has("offset")) message.offset = fields.integer("offset");
  if (fields.has("limit")) message.limit = fields.integer("limit");
}

void read(const JsonFields& fields, FlameParams& message) {
  message.trace = fields.text("trace");
  message.by = static_cast<FlameBy>(fields.one_of("by", {"stack", "module"}));
  message.time = static_cast<FlameTime>(fields.one_of("time", {"host", "device"}));
  if (fields.has("step")) message.step = fields.integer("step");
  if (fields.has("all_frames")) message.all_frames = fields.boolean("all_frames");
}

void read(const JsonFields& fields, MemoryCurveParams& message) {
  message.trace = fields.text("trace");
  if (fields.has("device")) message.device = fields.integer("device");
  if (fields.has("start_ns")) message.start_ns = fields.integer("start_ns");
  if (fields.has("end_ns")) message.end_ns = fields.integer("end_ns");
  if (fields.has("points")) message.points = fields.integer("points");
}

void read(const JsonFields& fields, MemoryPeakParams& message) {
  message.trace = fields.text("trace");
  if (fields.has("step")) message.step = fields.integer("step");
  if (fields.has("device")) message.device = fields.integer("device");
}

void read(const JsonFields& fields, BreakdownParams& message) {
  message.trace = fields.text("trace");
  if (fields.has("step")) message.step = fields.integer("step");
}

void read(const JsonFields& fields, TilesParams& message) {
  message.trace = fields.text("trace");
  message.level = fields.integer("level");
  message.index = fields.integer("index");
  message.tracks = fields.integers("tracks");
}

void read(const JsonFields& fields, CounterTilesParams& message) {
  message.trace = fields.text("trace");
  message.level = fields.integer("level");
  message.index = fields.integer("index");
  message.counters = fields.integers("counters");
}

void read(const JsonFields& fields, SliceParams& message) {
  message.trace = fields.text("trace");
  message.slice = fields.integer("slice");
}

void read(const JsonFields& fields, SearchParams& message) {
  message.trace = fields.text("trace");
  message.text = fields.text("text");
  if (fields.has("limit")) message.limit = fields.integer("limit");
}

void read(const JsonFields& fields, RangeParams& message) {
  message.trace = fields.text("trace");
  message.start_ns = fields.integer("start_ns");
  message.end_ns = fields.integer("end_ns");
  message.tracks = fields.integers("tracks");
}

void read(const JsonFields& fields, SourcesParams& message) {
  if (fields.has("trace")) message.trace = fields.text("trace");
}

void read(const JsonFields& fields, SourceParams& message) {
  if (fields.has("trace")) message.trace = fields.text("trace");
  message.path = fields.text("path");
}

void read(const JsonFields& fields, EditParams& message) {
  message.save = fields.integer("save");
  message.batch_size = fields.integer("batch_size");
}

void read(const JsonFields& fields, ApplyParams& message) {
  message.save = fields.integer("save");
  message.batch_size = fields.integer("batch_size");
  message.file_hash = fields.text("file_hash");
}

void read(const JsonFields& fields, UnsavedParams& message) {
  message.is_unsaved = fields.boolean("is_unsaved");
}

}  // namespace skyline::serve::protocol
