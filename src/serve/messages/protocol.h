// Made by tools/gen_protocol.py from protocol/skyline.protocol; change that.
// clang-format off
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/analyze.h"
#include "base/json_fields.h"
#include "base/json_writer.h"

namespace skyline::serve::protocol {

inline constexpr int64_t kVersion = 1;

struct Nothing {};

// One sentence: what is wrong, where, and what to do.
struct Problem {
  std::string sentence;
};

enum class Unit : uint8_t { kNs, kBytes, kCount, kNumber, kShare, kPerSecond, kBytesPerSecond, kText };
std::string_view name_of(Unit word);

// A word and what it means.
struct Term {
  std::string name;
  std::string definition;
};

enum class Door : uint8_t { kSession, kTraces };
std::string_view name_of(Door word);

struct TraceSummary {
  std::string id;
  std::string name;  // to be shown: a file's name, or what of a session it is
  bool is_read = false;  // it was read at least once; until then nothing below is known
  bool is_held = false;  // it is in memory; else the next question about it reads it again
  int64_t rank = 0;  // -1: not said
  int64_t world_size = 0;  // -1: not said
  int64_t offset_ns = 0;  // its start after that of the earliest of the traces that were read, by Unix time
  int64_t duration_ns = 0;
  int64_t events = 0;
  int64_t steps = 0;
  std::string host_name;
  std::string producer;
  std::string format;
  std::vector<std::string> devices;
  bool has_device = false;  // work of a device was recorded
  bool has_memory = false;
  bool has_stacks = false;
  bool has_modules = false;
  bool has_sources = false;
};

// What a trace must hold for a table to have rows.
enum class Content : uint8_t { kEvents, kSteps, kDevice, kStacks, kMemory };
std::string_view name_of(Content word);

struct ColumnDef {
  std::string name;
  std::string title;
  Unit unit{};
  std::string definition;
};

struct TableDef {
  std::string name;
  std::string title;  // one word for people
  std::string sentence;  // what question it answers
  std::string needs;  // what a trace must hold, in words
  Content must_hold{};
  std::vector<ColumnDef> columns;
  std::vector<std::string> group_by;  // the first is the usual one
};

struct SessionAbout {
  std::string entry_point;
  std::string project;
};

struct Hello {
  int64_t protocol = 0;  // version of this schema
  std::string program;  // its name and version
  std::string command;  // what has started it, for a shell
  std::string resume_secret;  // by which the page knows a server that was started again, and is known; empty: not at all
  Door door{};
  std::vector<TraceSummary> traces;  // none in a session until there is a recording
  std::vector<TableDef> tables;
  std::vector<Term> phases;  // times by phase stand in this order
  std::vector<Term> memory_roles;  // bytes by role stand in this order
  std::vector<std::string> kinds;  // what slices are drawn as, by number: their categories, then communication
  std::optional<SessionAbout> session;
};

struct Traces {
  std::vector<TraceSummary> traces;
};

struct TraceParams {
  std::string trace;
};

struct Figure {
  std::string name;
  Unit unit{};
  std::optional<double> value;
  std::string definition;
};

struct Step {
  int64_t number = 0;
  int64_t start_ns = 0;
  int64_t end_ns = 0;
};

struct Fact {
  std::string name;
  std::string value;
};

enum class WaitsFor : uint8_t { kInput, kHost, kDevice, kCommunication, kUnknown };
std::string_view name_of(WaitsFor word);

struct VerdictPart {
  std::string name;
  std::string definition;
  int64_t time_ns = 0;
};

// What the step waits for; the parts add up to judged_ns.
struct Verdict {
  WaitsFor waits_for{};
  double share = 0;
  std::string sentence;
  int64_t judged_ns = 0;
  std::vector<VerdictPart> parts;
};

// Data that was kept out, or changed, because it was wrong.
struct Loss {
  std::string name;
  int64_t count = 0;
  std::string sentence;
};

enum class HealthLevel : uint8_t { kFine, kNote, kWrong };
std::string_view name_of(HealthLevel word);

struct HealthItem {
  std::string name;
  HealthLevel level{};
  int64_t count = 0;
  std::string sentence;
  std::string cure;
};

struct Overview {
  TraceSummary trace;
  Verdict verdict;
  std::vector<Figure> figures;
  std::vector<Loss> losses;
  std::vector<HealthItem> health;
  std::vector<Step> steps;
  std::vector<Fact> facts;  // what else the file says of itself
};

// One trace of a run.
struct RunRank {
  std::string trace;  // its id
  std::string name;
  bool is_known = false;  // it was read for this; until then nothing below the error is known
  std::string error;  // why it cannot be; empty: no reason
  int64_t rank = 0;  // -1: not said
  std::string host;
  int64_t offset_ns = 0;  // its start after that of the earliest rank, by the clocks of their machines
  int64_t steps = 0;
  int64_t median_step_ns = 0;  // 0: there are no steps
  int64_t dropped = 0;  // events that are missing because data was damaged or cut off
  Verdict verdict;
};

struct Run {
  bool is_one_run = false;  // each says which rank it is, and none says the same as another
  std::string sentence;  // empty: fewer than two are known
  std::vector<RunRank> ranks;  // by rank; those that are not known come last
  std::vector<int64_t> by_need;  // indices of ranks, of those that are known: whose device computes least comes first
  int64_t pending = 0;  // traces that are still to be read
};

struct TableParams {
  std::string trace;
  std::string name;
  std::optional<std::string> group_by;
  std::optional<int64_t> step;  // only this step's events
  std::optional<std::string> sort;  // a column; numbers largest first; with + smallest first
  std::optional<std::string> filter;  // rows with a text that contains this
  std::optional<int64_t> offset;  // rows to leave out at the beginning
  std::optional<int64_t> limit;  // rows to send; at most 10000
};

// One list of cells per row, in the order of the columns.
struct Table {
  std::vector<ColumnDef> columns;
  std::vector<std::vector<analyze::Cell>> rows;
  int64_t row_count = 0;
  std::string indent_by;
};

enum class FlameBy : uint8_t { kStack, kModule };
std::string_view name_of(FlameBy word);

enum class FlameTime : uint8_t { kHost, kDevice };
std::string_view name_of(FlameTime word);

struct FlameParams {
  std::string trace;
  FlameBy by{};
  FlameTime time{};
  std::optional<int64_t> step;
  std::optional<bool> all_frames;  // also Skyline's own, those of runpy and torch's wrappers around calls of modules
};

// A line of the program.
struct Place {
  std::string file;
  int64_t line = 0;
  std::string function;
};

// Nodes in preorder, as columns; the first is everything.
struct Flame {
  std::vector<std::string> names;
  std::vector<Place> places;
  std::vector<int64_t> name;  // of a node: an index of names
  std::vector<int64_t> place;  // an index of places; -1: none
  std::vector<int64_t> parent;  // -1: the first node
  std::vector<int64_t> total_ns;
  std::vector<int64_t> self_ns;
  std::vector<int64_t> calls;
  int64_t left_out = 0;  // nodes too small to be sent; their time is part of their parent's
};

struct MemoryCurveParams {
  std::string trace;
  std::optional<int64_t> device;
  std::optional<int64_t> start_ns;
  std::optional<int64_t> end_ns;
  std::optional<int64_t> points;
};

struct MemoryDevice {
  std::string name;
  int64_t peak_bytes = 0;
  int64_t peak_ns = 0;
};

// Times are since the trace's start.
struct MemoryCurve {
  std::vector<MemoryDevice> devices;  // the largest peak first
  int64_t device = 0;  // the one that is shown, an index of devices
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  std::vector<int64_t> time_ns;
  std::vector<int64_t> low_bytes;  // allocated
  std::vector<int64_t> high_bytes;
  std::vector<int64_t> reserved_bytes;  // by the allocator from the device; empty: not recorded
};

struct MemoryPeakParams {
  std::string trace;
  std::optional<int64_t> step;
  std::optional<int64_t> device;
};

struct MemoryNode {
  int64_t parent = 0;  // -1: the first node, which is the peak
  int64_t depth = 0;
  int64_t end = 0;  // its descendants are the nodes up to here
  std::string name;
  std::string class_name;
  std::vector<int64_t> own;  // bytes by role
  std::vector<int64_t> total;
  int64_t blocks = 0;
};

struct MemoryLine {
  std::string file;
  int64_t line = 0;
  std::string function;
  std::vector<int64_t> total;
  int64_t blocks = 0;
};

struct MemoryBlock {
  int64_t bytes = 0;
  std::string role;
  std::string name;
  std::string module;
  std::string file;
  int64_t line = 0;
  std::string op;
};

// Bytes that a module, with those inside it, owes to a line.
struct MemoryLink {
  int64_t module = 0;
  int64_t line = 0;
  int64_t bytes = 0;
};

struct MemoryPeak {
  std::string device;
  int64_t peak_bytes = 0;
  int64_t time_ns = 0;  // since the trace's start
  int64_t step = 0;  // its number; -1: there are no steps
  int64_t older_bytes = 0;  // known to live besides, from before the recording
  std::vector<int64_t> roles;
  std::vector<MemoryNode> modules;
  std::vector<MemoryLine> lines;
  std::vector<MemoryBlock> blocks;  // the largest
  int64_t block_count = 0;
  std::vector<MemoryLink> links;
};

struct BreakdownParams {
  std::string trace;
  std::optional<int64_t> step;
};

// Nanoseconds by phase.
struct Times {
  std::vector<int64_t> host;
  std::vector<int64_t> device;
  int64_t calls = 0;
};

struct OpUse {
  std::string name;
  std::string phase;
  std::string input_dims;
  int64_t calls = 0;
  int64_t host_ns = 0;
  int64_t device_ns = 0;
};

struct BreakdownNode {
  int64_t parent = 0;  // -1: the first node, which is the iteration
  int64_t depth = 0;
  int64_t end = 0;  // its descendants are the nodes up to here
  std::string name;  // of a module, or the file of a line
  std::string class_name;
  std::string function;
  int64_t line = 0;
  Times own;  // not in a child; of a line with Python that is only near it
  Times total;  // own and those of all descendants
  std::vector<OpUse> uses;  // its longest operators
};

struct LineTimes {
  std::string file;
  int64_t line = 0;
  std::string function;
  Times own;
  Times total;
  int64_t near_ns = 0;  // host time between operators next to the line, and no sample says in which line; not in own
  int64_t elsewhere_ns = 0;  // what DataLoader workers and other threads spend there and below, from samples; not in total
};

// Time that a module, with those inside it, spends below a line.
struct CodeLink {
  int64_t module = 0;
  int64_t line = 0;
  int64_t host_ns = 0;
  int64_t device_ns = 0;
};

struct Breakdown {
  int64_t step_number = 0;  // -1: there are no steps
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  bool has_device = false;
  std::vector<BreakdownNode> modules;
  std::vector<BreakdownNode> lines;
  std::vector<LineTimes> flat_lines;
  std::vector<CodeLink> links;  // between modules and flat_lines
  std::vector<int64_t> places;  // per module the line that calls it, an index of flat_lines; -1: not known
};

enum class TrackKind : uint8_t { kThread, kStream, kOther };
std::string_view name_of(TrackKind word);

struct TimelineTrack {
  int64_t id = 0;
  std::string name;
  std::string process;
  TrackKind kind{};
  int64_t rows = 0;  // depths of all its lanes
  int64_t slices = 0;
};

struct TimelineCounter {
  int64_t id = 0;
  std::string name;
  Unit unit{};
  double low = 0;
  double high = 0;
  std::string definition;
};

struct Timeline {
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  std::vector<TimelineTrack> tracks;
  std::vector<TimelineCounter> counters;
  std::vector<Step> steps;
};

struct TilesParams {
  std::string trace;
  int64_t level = 0;
  int64_t index = 0;
  std::vector<int64_t> tracks;
};

struct CounterTilesParams {
  std::string trace;
  int64_t level = 0;
  int64_t index = 0;
  std::vector<int64_t> counters;
};

struct SliceParams {
  std::string trace;
  int64_t slice = 0;
};

struct SliceRef {
  int64_t slice = 0;
  std::string name;
  std::string category;
  std::string kind;  // what it is drawn as
  int64_t track = 0;
  int64_t row = 0;
  int64_t start_ns = 0;
  int64_t dur_ns = 0;
};

enum class FlowKind : uint8_t { kOp, kLaunch, kActivity, kForward, kBackward };
std::string_view name_of(FlowKind word);

struct Flow {
  FlowKind kind{};
  SliceRef slice;
};

struct SliceDetails {
  SliceRef slice;
  int64_t self_ns = 0;
  int64_t step = 0;  // -1: none
  std::vector<SliceRef> parents;  // the outermost first
  std::vector<Flow> flows;
  std::vector<Place> stack;  // the outermost first
  std::string module;
  std::vector<Fact> args;
};

struct SearchParams {
  std::string trace;
  std::string text;
  std::optional<int64_t> limit;
};

// In order of time; total also counts those beyond the limit.
struct Search {
  int64_t total = 0;
  std::vector<SliceRef> slices;
};

struct RangeParams {
  std::string trace;
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  std::vector<int64_t> tracks;
};

struct RangeCategory {
  std::string name;
  int64_t count = 0;
  int64_t busy_ns = 0;
};

struct RangeName {
  std::string name;
  std::string category;
  std::string kind;
  int64_t count = 0;
  int64_t total_ns = 0;
};

struct Range {
  int64_t dur_ns = 0;
  std::vector<RangeCategory> categories;
  std::vector<RangeName> names;
};

// Without a trace, those of the session's project.
struct SourcesParams {
  std::optional<std::string> trace;
};

struct SourceFile {
  std::string path;
  std::string name;
  std::string hash;
  bool has_text = false;
};

struct Sources {
  std::vector<SourceFile> files;
};

struct SourceParams {
  std::optional<std::string> trace;
  std::string path;
};

enum class SourceOrigin : uint8_t { kProject, kRecording, kSourceRoot };
std::string_view name_of(SourceOrigin word);

struct Source {
  std::string path;
  std::string text;
  std::string hash;
  SourceOrigin origin{};
  std::optional<std::string> note;  // what is to be known before it is trusted: that it has changed since
};

enum class SessionPhase : uint8_t { kStarting, kProfiling, kIdle };
std::string_view name_of(SessionPhase word);

enum class TroubleKind : uint8_t { kUserCode, kEnded, kStuck, kStalled, kInterrupted, kOurs, kOutOfMemory };
std::string_view name_of(TroubleKind word);

struct Trouble {
  TroubleKind kind{};
  std::string sentence;
  std::string path;
  int64_t line = 0;
};

struct HistoryEntry {
  int64_t save = 0;
  int64_t time_ms = 0;  // when it was profiled, Unix time
  bool is_earlier = false;  // in a session before this one; its saves were numbered by themselves
  std::vector<std::string> changed;
  int64_t batch_size = 0;
  double samples_per_second = 0;  // 0: there is no result
  double uncertainty = 0;  // of it, as a share
  int64_t peak_bytes = 0;
  std::string trouble;  // empty: none
  bool is_complete = false;
};

// The end of it, if it is long. No path: it is not kept.
struct Output {
  std::string path;
  std::string text;
  bool is_cut = false;
};

struct SessionState {
  SessionPhase state{};
  int64_t save = 0;  // number of the profile
  std::string phase;
  int64_t phase_ms = 0;  // how long it lasts by now
  double fraction = 0;
  int64_t result_save = 0;  // the profile that the newest result is of; 0: there is none
  bool is_stale = false;
  bool is_unsaved = false;
  std::optional<Trouble> trouble;
  std::string note;
  std::vector<std::string> changed;
  bool has_output = false;  // there is something to ask for with `output`
  std::vector<HistoryEntry> history;
};

// The true median lies between low_ns and high_ns with a chance of 95 %; uncertainty is half of that over the median, and 1 where it is not known.
struct IterationTime {
  int64_t median_ns = 0;
  int64_t low_ns = 0;
  int64_t high_ns = 0;
  int64_t quarter_ns = 0;
  int64_t three_quarters_ns = 0;
  int64_t count = 0;
  double uncertainty = 0;
};

struct Literal {
  std::string path;
  int64_t line = 0;
  int64_t begin_column = 0;
  int64_t end_column = 0;
  int64_t value = 0;
  std::string file_hash;
};

struct BatchSample {
  int64_t batch_size = 0;
  int64_t median_ns = 0;
  double samples_per_second = 0;
  double uncertainty = 0;
  int64_t peak_bytes = 0;
};

struct BatchFailure {
  int64_t batch_size = 0;
  std::string sentence;
};

// Columns by batch size. Intervals hold a new measurement with a chance of about 90 %.
struct Predictions {
  std::vector<int64_t> batch_size;
  std::vector<double> samples_per_second;
  std::vector<double> low;
  std::vector<double> high;
  std::vector<int64_t> peak_bytes;
  std::vector<int64_t> peak_low;
  std::vector<int64_t> peak_high;
  std::vector<bool> is_extrapolated;
};

struct BatchModels {
  std::string time_doubt;  // why the model of time should not be relied upon; empty: no reason
  std::string memory_doubt;
  int64_t largest = 0;  // batch size that fits; 0: not even 1
  bool largest_is_verified = false;
  bool largest_is_reached = false;  // one more would be too much
  std::string largest_doubt;  // why it should not be relied upon; empty: no reason
  int64_t best = 0;  // batch size with the most samples per second
  double best_samples_per_second = 0;
  int64_t knee = 0;  // the smallest with 90 % of it
  Predictions predictions;
};

struct SessionResult {
  int64_t save = 0;
  std::string source_hash;
  int64_t batch_size = 0;
  std::string device;
  bool in_fresh_process = false;
  bool is_timed = false;  // as well as the budget allows; else the number is a first one
  bool is_complete = false;
  std::vector<std::string> headline;  // sentences, the most important first
  IterationTime iteration;
  double samples_per_second = 0;
  double tokens_per_second = 0;  // 0: the input is no sequence of token ids
  int64_t compile_ns = 0;
  int64_t peak_bytes = 0;
  int64_t resident_bytes = 0;
  int64_t capacity_bytes = 0;
  std::string capacity_source;
  std::optional<Literal> literal;
  std::string no_literal;  // why there is none
  std::vector<BatchSample> samples;
  std::vector<BatchFailure> failures;
  std::optional<BatchModels> models;
};

struct SessionBreakdown {
  int64_t save = 0;
  std::string trace;
  Breakdown breakdown;
};

struct SessionMemory {
  int64_t save = 0;
  std::string trace;
  MemoryPeak memory;
};

struct EditParams {
  int64_t save = 0;
  int64_t batch_size = 0;
};

// Columns are UTF-16 units from 0, as editors count.
struct Edit {
  std::string path;
  int64_t line = 0;
  int64_t begin_column = 0;
  int64_t end_column = 0;
  std::string old_text;
  std::string new_text;
  std::string file_hash;
};

struct ApplyParams {
  int64_t save = 0;
  int64_t batch_size = 0;
  std::string file_hash;
};

struct UnsavedParams {
  bool is_unsaved = false;
};

// ---- To JSON. ----

void write(JsonWriter& json, const Nothing& message);
void write(JsonWriter& json, const Problem& message);
void write(JsonWriter& json, const Term& message);
void write(JsonWriter& json, const Hello& message);
void write(JsonWriter& json, const SessionAbout& message);
void write(JsonWriter& json, const TraceSummary& message);
void write(JsonWriter& json, const Traces& message);
void write(JsonWriter& json, const TraceParams& message);
void write(JsonWriter& json, const Figure& message);
void write(JsonWriter& json, const Step& message);
void write(JsonWriter& json, const Fact& message);
void write(JsonWriter& json, const Overview& message);
void write(JsonWriter& json, const VerdictPart& message);
void write(JsonWriter& json, const Verdict& message);
void write(JsonWriter& json, const RunRank& message);
void write(JsonWriter& json, const Run& message);
void write(JsonWriter& json, const Loss& message);
void write(JsonWriter& json, const HealthItem& message);
void write(JsonWriter& json, const ColumnDef& message);
void write(JsonWriter& json, const TableDef& message);
void write(JsonWriter& json, const TableParams& message);
void write(JsonWriter& json, const Table& message);
void write(JsonWriter& json, const FlameParams& message);
void write(JsonWriter& json, const Place& message);
void write(JsonWriter& json, const Flame& message);
void write(JsonWriter& json, const MemoryCurveParams& message);
void write(JsonWriter& json, const MemoryDevice& message);
void write(JsonWriter& json, const MemoryCurve& message);
void write(JsonWriter& json, const MemoryPeakParams& message);
void write(JsonWriter& json, const MemoryNode& message);
void write(JsonWriter& json, const MemoryLine& message);
void write(JsonWriter& json, const MemoryBlock& message);
void write(JsonWriter& json, const MemoryPeak& message);
void write(JsonWriter& json, const MemoryLink& message);
void write(JsonWriter& json, const BreakdownParams& message);
void write(JsonWriter& json, const Times& message);
void write(JsonWriter& json, const OpUse& message);
void write(JsonWriter& json, const BreakdownNode& message);
void write(JsonWriter& json, const LineTimes& message);
void write(JsonWriter& json, const CodeLink& message);
void write(JsonWriter& json, const Breakdown& message);
void write(JsonWriter& json, const TimelineTrack& message);
void write(JsonWriter& json, const TimelineCounter& message);
void write(JsonWriter& json, const Timeline& message);
void write(JsonWriter& json, const TilesParams& message);
void write(JsonWriter& json, const CounterTilesParams& message);
void write(JsonWriter& json, const SliceParams& message);
void write(JsonWriter& json, const SliceRef& message);
void write(JsonWriter& json, const Flow& message);
void write(JsonWriter& json, const SliceDetails& message);
void write(JsonWriter& json, const SearchParams& message);
void write(JsonWriter& json, const Search& message);
void write(JsonWriter& json, const RangeParams& message);
void write(JsonWriter& json, const RangeCategory& message);
void write(JsonWriter& json, const RangeName& message);
void write(JsonWriter& json, const Range& message);
void write(JsonWriter& json, const SourcesParams& message);
void write(JsonWriter& json, const SourceFile& message);
void write(JsonWriter& json, const Sources& message);
void write(JsonWriter& json, const SourceParams& message);
void write(JsonWriter& json, const Source& message);
void write(JsonWriter& json, const Trouble& message);
void write(JsonWriter& json, const HistoryEntry& message);
void write(JsonWriter& json, const Output& message);
void write(JsonWriter& json, const SessionState& message);
void write(JsonWriter& json, const IterationTime& message);
void write(JsonWriter& json, const Literal& message);
void write(JsonWriter& json, const BatchSample& message);
void write(JsonWriter& json, const BatchFailure& message);
void write(JsonWriter& json, const Predictions& message);
void write(JsonWriter& json, const BatchModels& message);
void write(JsonWriter& json, const SessionResult& message);
void write(JsonWriter& json, const SessionBreakdown& message);
void write(JsonWriter& json, const SessionMemory& message);
void write(JsonWriter& json, const EditParams& message);
void write(JsonWriter& json, const Edit& message);
void write(JsonWriter& json, const ApplyParams& message);
void write(JsonWriter& json, const UnsavedParams& message);

// ---- From JSON: what may be asked with. A wrong field makes everything wrong; see JsonFields. ----

void read(const JsonFields& fields, Nothing& message);
void read(const JsonFields& fields, TraceParams& message);
void read(const JsonFields& fields, TableParams& message);
void read(const JsonFields& fields, FlameParams& message);
void read(const JsonFields& fields, MemoryCurveParams& message);
void read(const JsonFields& fields, MemoryPeakParams& message);
void read(const JsonFields& fields, BreakdownParams& message);
void read(const JsonFields& fields, TilesParams& message);
void read(const JsonFields& fields, CounterTilesParams& message);
void read(const JsonFields& fields, SliceParams& message);
void read(const JsonFields& fields, SearchParams& message);
void read(const JsonFields& fields, RangeParams& message);
void read(const JsonFields& fields, SourcesParams& message);
void read(const JsonFields& fields, SourceParams& message);
void read(const JsonFields& fields, EditParams& message);
void read(const JsonFields& fields, ApplyParams& message);
void read(const JsonFields& fields, UnsavedParams& message);

}  // namespace skyline::serve::protocol
