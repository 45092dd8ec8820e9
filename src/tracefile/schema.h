// What a .skyline file may hold: one line per table and per column, with its number in the file.
//
// Numbers are for ever: a table or column that is no longer written keeps its number, and a new one
// gets a number of its own. A reader skips numbers that it does not know and reads `missing` where a
// file lacks a column, so old and new programs understand each other within one major version.
// docs/tracefile.md shows the same tables; tests/docs holds the two together.
#pragma once

#include <cstdint>
#include <string_view>

namespace skyline::tracefile {

enum class TableId : uint16_t {
  kEnd = 0,           // one row, last chunk: the recording was finished properly
  kMeta = 1,          // what is known of the recording as a whole
  kClock = 2,         // the recorder's clock against Unix time
  kStrings = 3,       // texts that other tables name by id
  kThreads = 4,       // threads of the recorded process
  kEvents = 5,        // operators and ranges, in the order in which their threads handed them in
  kShapes = 6,        // distinct inputs of operators
  kFrames = 7,        // lines of Python code
  kModules = 8,       // instances of nn.Module
  kStacks = 9,        // Python stacks, as a tree: a stack is its innermost frame and the stack around it
  kMemory = 10,       // allocations and frees
  kCollectives = 11,  // what c10d says about a collective
  kSources = 12,      // source files as they were when they were recorded
  kLosses = 13,       // what the recorder could not keep
  kTensors = 14,      // tensors that outlive operators, as the program names them
  kLiveBlocks = 15,   // blocks that were alive when the recording began, as far as earlier ones saw them
  kSamples = 16,      // where threads stood in Python, now and then
  kGcPauses = 17,     // runs of Python's garbage collector
  kSettings = 18,     // what the run was set to
  kCounters = 19,     // what the system counts for the process, now and then
  kParts = 20,  // what other processes and the sampler wrote of the same recording, each a file of its own
  kDeviceText = 31,  // what Kineto recorded of the devices meanwhile, as JSON, in blocks

  // A trace that was kept whole (`skyline convert`, the cache): the tables of src/trace, linked and in order.
  // The columns of those that are made of columns only are declared in src/trace/tables.schema.
  kTraceInfo = 32,             // single values
  kTraceMetadata = 33,         // what else the file said of itself
  kTraceDevices = 34,          // devices and their properties
  kTraceStrings = 35,          // texts; a row's number is its id
  kTraceTracks = 36,           // threads and streams
  kTraceSlices = 37,           // everything that has a start and a duration
  kTraceOps = 38,              // operators and ranges
  kTracePythons = 39,          // Python frames and nn.Module calls
  kTraceLaunches = 40,         // runtime and driver calls
  kTraceActivities = 41,       // work on a device
  kTraceCollectives = 42,      // what c10d says
  kTraceMemory = 43,           // allocations and frees
  kTraceCounters = 44,         // samples of counters
  kTraceSteps = 45,            // training steps
  kTraceEventCounts = 46,      // events by category and phase
  kTraceLosses = 47,           // what could not be read when it was converted
  kTraceFrames = 48,           // lines of Python code
  kTraceStacks = 49,           // Python stacks
  kTraceModules = 50,          // instances of nn.Module
  kText = 51,                  // the text that the trace was read from, in blocks
  kSeekPoints = 52,            // where its gzip file can be entered
  kTraceTensors = 53,          // tensors that the program named
  kTraceKernelShapes = 54,     // how kernels were launched
  kTraceSignatures = 55,       // types and shapes of inputs
  kTraceInputs = 56,           // inputs of signatures
  kTraceInputSizes = 57,       // dimensions of inputs
  kTraceSyncs = 58,            // waiting for a device
  kTraceCompiledCalls = 59,    // calls of compiled kernels
  kTraceSamples = 60,          // where threads stood in Python
  kTraceGcPauses = 61,         // runs of the garbage collector
  kTraceProcesses = 62,        // processes that took part
  kTraceSettings = 63,         // what the run was set to
  kTraceProcessCounters = 64,  // what the system counts for processes
  kTraceSummaries = 65,        // results that go along, last in the file
};

// Whether the table belongs to a trace that was kept whole, and is neither recorded nor text.
constexpr bool is_of_whole_trace(TableId table) {
  return (table >= TableId::kTraceInfo && table < TableId::kText) || table >= TableId::kTraceTensors;
}

enum class ElementType : uint8_t {
  kU8 = 1,
  kU16 = 2,
  kU32 = 3,
  kU64 = 4,
  kI32 = 5,
  kI64 = 6,
  kF64 = 7,
  kText = 8,  // UTF-8
  kBlob = 9,  // any bytes
};

// What is done to the elements before they are compressed (tracefile/encoding.h). Texts are kPlain.
enum class Encoding : uint8_t {
  kPlain = 0,
  kDelta = 1,       // differences; of whole numbers only
  kSplit = 2,       // bytes of the same weight together
  kDeltaSplit = 3,  // differences, then split
};

struct ColumnSpec {
  TableId table;
  uint16_t id;  // within its table
  ElementType type;
  Encoding encoding;
  std::string_view name;
  std::string_view meaning;
};

template <typename T>
struct NumberColumn : ColumnSpec {
  T missing;  // what a reader gets for every row when a chunk has no such column
};

struct TextColumn : ColumnSpec {};  // a missing text is empty

template <typename T>
constexpr ElementType element_type();
template <>
constexpr ElementType element_type<uint8_t>() {
  return ElementType::kU8;
}
template <>
constexpr ElementType element_type<uint16_t>() {
  return ElementType::kU16;
}
template <>
constexpr ElementType element_type<uint32_t>() {
  return ElementType::kU32;
}
template <>
constexpr ElementType element_type<uint64_t>() {
  return ElementType::kU64;
}
template <>
constexpr ElementType element_type<int32_t>() {
  return ElementType::kI32;
}
template <>
constexpr ElementType element_type<int64_t>() {
  return ElementType::kI64;
}
template <>
constexpr ElementType element_type<double>() {
  return ElementType::kF64;
}

template <typename T>
constexpr NumberColumn<T> number(TableId table, uint16_t id, std::string_view name, Encoding encoding,
                                 T missing, std::string_view meaning) {
  return {{table, id, element_type<T>(), encoding, name, meaning}, missing};
}
constexpr TextColumn text(TableId table, uint16_t id, std::string_view name, std::string_view meaning) {
  return {{table, id, ElementType::kText, Encoding::kPlain, name, meaning}};
}
constexpr TextColumn blob(TableId table, uint16_t id, std::string_view name, std::string_view meaning) {
  return {{table, id, ElementType::kBlob, Encoding::kPlain, name, meaning}};
}

inline constexpr uint32_t kNoId = UINT32_MAX;   // an id that names nothing
inline constexpr int64_t kNotSaid = INT64_MIN;  // a number that the recorder did not learn
inline constexpr auto kPlain = Encoding::kPlain;
inline constexpr auto kDelta = Encoding::kDelta;
inline constexpr auto kSplit = Encoding::kSplit;
inline constexpr auto kDeltaSplit = Encoding::kDeltaSplit;

// clang-format off
namespace end {
inline constexpr auto kT = TableId::kEnd;
inline constexpr auto kChunks = number<uint64_t>(kT, 1, "chunks", kPlain, 0, "how many chunks stand before this one");
}

namespace meta {
inline constexpr auto kT = TableId::kMeta;
inline constexpr auto kKey   = text(kT, 1, "key", "dotted name; a later row for the same key wins");
inline constexpr auto kValue = text(kT, 2, "value", "as text");

// Keys that a reader understands; any other is kept and shown as it is.
inline constexpr std::string_view kProcessId      = "process.id";
inline constexpr std::string_view kProcessName    = "process.name";
inline constexpr std::string_view kProcessParent  = "process.parent_id";  // this and the next: of a part
inline constexpr std::string_view kProcessRole    = "process.role";
inline constexpr std::string_view kRecordingId    = "recording.id";  // parts of one recording have the same
inline constexpr std::string_view kHostName       = "host.name";
inline constexpr std::string_view kTorchVersion   = "torch.version";
inline constexpr std::string_view kTraceName      = "trace.name";
inline constexpr std::string_view kRank           = "distributed.rank";
inline constexpr std::string_view kWorldSize      = "distributed.world_size";
inline constexpr std::string_view kBackend        = "distributed.backend";
inline constexpr std::string_view kRecordShapes   = "record.shapes";   // these four: 0 or 1
inline constexpr std::string_view kRecordMemory   = "record.memory";
inline constexpr std::string_view kRecordStacks   = "record.stacks";
inline constexpr std::string_view kRecordModules  = "record.modules";
inline constexpr std::string_view kDeviceRecorder = "device.recorder";  // what recorded the devices meanwhile
inline constexpr std::string_view kTicksPerSecond = "clock.ticks_per_second";  // used if `clock` has one row only
}

namespace clock {
inline constexpr auto kT = TableId::kClock;
inline constexpr auto kTicks  = number<uint64_t>(kT, 1, "ticks", kDelta, 0, "the machine's counter that events are timed with");
inline constexpr auto kUnixNs = number<int64_t>(kT, 2, "unix_ns", kDelta, 0, "Unix time at that tick, in nanoseconds");
}

namespace strings {
inline constexpr auto kT = TableId::kStrings;
inline constexpr auto kId   = number<uint32_t>(kT, 1, "id", kDelta, 0, "by which other tables name the text");
inline constexpr auto kText = text(kT, 2, "text", "each text once");
}

namespace threads {
inline constexpr auto kT = TableId::kThreads;
inline constexpr auto kId      = number<uint32_t>(kT, 1, "id", kDelta, 0, "by which other tables name the thread");
inline constexpr auto kOsTid   = number<int64_t>(kT, 2, "os_tid", kPlain, -1, "the system's number of the thread");
inline constexpr auto kName    = text(kT, 3, "name", "as the program or Python named it");
inline constexpr auto kTorchId = number<uint32_t>(kT, 4, "torch_id", kPlain, 0, "torch's own number, which `events.fwd_thread` holds");
}

namespace events {
inline constexpr auto kT = TableId::kEvents;
inline constexpr auto kThread     = number<uint32_t>(kT, 1, "thread", kPlain, kNoId, "id in `threads`");
inline constexpr auto kStartTicks = number<uint64_t>(kT, 2, "start_ticks", kDeltaSplit, 0, "when it began");
inline constexpr auto kDurTicks   = number<uint64_t>(kT, 3, "dur_ticks", kSplit, 0, "how long it took");
inline constexpr auto kName       = number<uint32_t>(kT, 4, "name", kPlain, kNoId, "id in `strings`");
inline constexpr auto kKind       = number<uint8_t>(kT, 5, "kind", kPlain, 0, "see EventKind");
inline constexpr auto kSequence   = number<int64_t>(kT, 6, "sequence", kSplit, -1, "autograd's sequence number; -1: none");
inline constexpr auto kFwdThread  = number<uint32_t>(kT, 7, "fwd_thread", kSplit, 0, "torch's number of the forward thread; 0: not a backward operator");
inline constexpr auto kShapes     = number<uint32_t>(kT, 8, "shapes", kPlain, kNoId, "id in `shapes`");
inline constexpr auto kStack      = number<uint32_t>(kT, 9, "stack", kPlain, kNoId, "id in `stacks`");
inline constexpr auto kFlags      = number<uint8_t>(kT, 10, "flags", kPlain, 0, "see EventFlag");
inline constexpr auto kCollective = number<uint32_t>(kT, 11, "collective", kPlain, kNoId, "id in `collectives`");
}

namespace shapes {
inline constexpr auto kT = TableId::kShapes;
inline constexpr auto kId      = number<uint32_t>(kT, 1, "id", kDelta, 0, "by which events name it");
inline constexpr auto kDims    = text(kT, 2, "dims", "JSON without white space, as in Kineto's \"Input Dims\"");
inline constexpr auto kTypes   = text(kT, 3, "types", "JSON without white space, as in Kineto's \"Input type\"");
inline constexpr auto kStrides = text(kT, 4, "strides", "JSON without white space, as in Kineto's \"Input Strides\"");
inline constexpr auto kValues  = text(kT, 5, "values", "JSON, as in Kineto's \"Concrete Inputs\"; not there if values were not recorded");
}

namespace frames {
inline constexpr auto kT = TableId::kFrames;
inline constexpr auto kId       = number<uint32_t>(kT, 1, "id", kDelta, 0, "by which stacks name it");
inline constexpr auto kFile     = number<uint32_t>(kT, 2, "file", kPlain, kNoId, "id in `strings`");
inline constexpr auto kFunction = number<uint32_t>(kT, 3, "function", kPlain, kNoId, "id in `strings`");
inline constexpr auto kLine     = number<int32_t>(kT, 4, "line", kPlain, 0, "1 is the first; 0: not known");
}

namespace modules {
inline constexpr auto kT = TableId::kModules;
inline constexpr auto kId    = number<uint32_t>(kT, 1, "id", kDelta, 0, "by which stacks name it");
inline constexpr auto kName  = number<uint32_t>(kT, 2, "name", kPlain, kNoId, "id in `strings`: qualified, as in named_modules()");
inline constexpr auto kClass = number<uint32_t>(kT, 3, "class", kPlain, kNoId, "id in `strings`");
}

namespace stacks {
inline constexpr auto kT = TableId::kStacks;
inline constexpr auto kId     = number<uint32_t>(kT, 1, "id", kDelta, 0, "by which events name it");
inline constexpr auto kParent = number<uint32_t>(kT, 2, "parent", kPlain, kNoId, "the stack around it, always written before it");
inline constexpr auto kFrame  = number<uint32_t>(kT, 3, "frame", kPlain, kNoId, "id in `frames`: the innermost line");
inline constexpr auto kModule = number<uint32_t>(kT, 4, "module", kPlain, kNoId, "id in `modules`: the innermost module running there");
}

namespace memory {
inline constexpr auto kT = TableId::kMemory;
inline constexpr auto kThread         = number<uint32_t>(kT, 1, "thread", kPlain, kNoId, "id in `threads`");
inline constexpr auto kTicks          = number<uint64_t>(kT, 2, "ticks", kDeltaSplit, 0, "when");
inline constexpr auto kAddress        = number<uint64_t>(kT, 3, "address", kSplit, 0, "0: not known");
inline constexpr auto kBytes          = number<int64_t>(kT, 4, "bytes", kPlain, 0, "negative: freed; 0: freed, as much as was allocated there last");
inline constexpr auto kTotalAllocated = number<int64_t>(kT, 5, "total_allocated", kDelta, kNotSaid, "on the device afterwards; missing: the sum of all before");
inline constexpr auto kTotalReserved  = number<int64_t>(kT, 6, "total_reserved", kDelta, kNotSaid, "on the device afterwards");
inline constexpr auto kDeviceType     = number<int32_t>(kT, 7, "device_type", kPlain, 0, "c10's code: 0 CPU, 1 CUDA, …");
inline constexpr auto kDeviceId       = number<int32_t>(kT, 8, "device_id", kPlain, -1, "-1 on the CPU");
}

namespace collectives {
inline constexpr auto kT = TableId::kCollectives;
inline constexpr auto kId          = number<uint32_t>(kT, 1, "id", kDelta, 0, "by which events name it");
inline constexpr auto kName        = number<uint32_t>(kT, 2, "name", kPlain, kNoId, "id in `strings`: allreduce, …");
inline constexpr auto kDtype       = number<uint32_t>(kT, 3, "dtype", kPlain, kNoId, "id in `strings`");
inline constexpr auto kGroupName   = number<uint32_t>(kT, 4, "group_name", kPlain, kNoId, "id in `strings`");
inline constexpr auto kGroupRanks  = number<uint32_t>(kT, 5, "group_ranks", kPlain, kNoId, "id in `strings`: JSON list");
inline constexpr auto kInElements  = number<int64_t>(kT, 6, "in_elements", kPlain, -1, "-1: not known");
inline constexpr auto kOutElements = number<int64_t>(kT, 7, "out_elements", kPlain, -1, "-1: not known");
inline constexpr auto kGroupSize   = number<int64_t>(kT, 8, "group_size", kPlain, -1, "-1: not known");
}

namespace sources {
inline constexpr auto kT = TableId::kSources;
inline constexpr auto kPath = text(kT, 1, "path", "as `frames.file` names it");
inline constexpr auto kHash = text(kT, 2, "hash", "of the bytes of the file, as \"algorithm:hex\"");
inline constexpr auto kText = blob(kT, 3, "text", "the whole file; empty if it was too large or unreadable");
}

namespace losses {
inline constexpr auto kT = TableId::kLosses;
inline constexpr auto kName     = text(kT, 1, "name", "dotted name of the kind; a later row for the same name wins");
inline constexpr auto kCount    = number<uint64_t>(kT, 2, "count", kPlain, 0, "how many");
inline constexpr auto kSentence = text(kT, 3, "sentence", "what it means, for the user");
}

namespace tensors {
inline constexpr auto kT = TableId::kTensors;
inline constexpr auto kRole    = number<uint8_t>(kT, 1, "role", kPlain, 0, "0 weight, 1 buffer, 2 gradient, 3 optimizer state, 4 input");
inline constexpr auto kName    = number<uint32_t>(kT, 2, "name", kPlain, kNoId, "id in `strings`: qualified, as layers.0.weight, layers.0.weight.grad, inputs[0]");
inline constexpr auto kModule  = number<uint32_t>(kT, 3, "module", kPlain, kNoId, "id in `strings`: qualified name of the module that holds it; empty: the model");
inline constexpr auto kDims    = number<uint32_t>(kT, 4, "dims", kPlain, kNoId, "id in `strings`: JSON without white space, as [2,3]");
inline constexpr auto kAddress = number<uint64_t>(kT, 5, "address", kDelta, 0, "of its storage, as in `memory`");
inline constexpr auto kBytes   = number<int64_t>(kT, 6, "bytes", kPlain, 0, "of its storage");
inline constexpr auto kTicks   = number<uint64_t>(kT, 7, "ticks", kDelta, 0, "when it was alive there; a tensor may be told of again");
}

namespace live_blocks {
inline constexpr auto kT = TableId::kLiveBlocks;
inline constexpr auto kAddress = number<uint64_t>(kT, 1, "address", kDelta, 0, "as in `memory`");
inline constexpr auto kBytes   = number<int64_t>(kT, 2, "bytes", kPlain, 0, "");
}

namespace samples {
inline constexpr auto kT = TableId::kSamples;
inline constexpr auto kThread = number<uint32_t>(kT, 1, "thread", kPlain, kNoId, "id in `threads`");
inline constexpr auto kTicks  = number<uint64_t>(kT, 2, "ticks", kDeltaSplit, 0, "when");
inline constexpr auto kStack  = number<uint32_t>(kT, 3, "stack", kPlain, kNoId, "id in `stacks`; none: the thread ran no Python");
}

namespace gc_pauses {
inline constexpr auto kT = TableId::kGcPauses;
inline constexpr auto kThread     = number<uint32_t>(kT, 1, "thread", kPlain, kNoId, "id in `threads`: on which it ran");
inline constexpr auto kStartTicks = number<uint64_t>(kT, 2, "start_ticks", kDeltaSplit, 0, "when it began");
inline constexpr auto kDurTicks   = number<uint64_t>(kT, 3, "dur_ticks", kSplit, 0, "how long it took");
inline constexpr auto kGeneration = number<int32_t>(kT, 4, "generation", kPlain, -1, "the oldest that was collected");
inline constexpr auto kCollected  = number<int64_t>(kT, 5, "collected", kPlain, -1, "how many objects were freed");
}

namespace settings {
inline constexpr auto kT = TableId::kSettings;
inline constexpr auto kKey   = text(kT, 1, "key", "dotted name; a later row for the same key wins");
inline constexpr auto kValue = text(kT, 2, "value", "as text");
}

namespace counters {
inline constexpr auto kT = TableId::kCounters;
inline constexpr auto kTicks = number<uint64_t>(kT, 1, "ticks", kDeltaSplit, 0, "when");
inline constexpr auto kName  = number<uint32_t>(kT, 2, "name", kPlain, kNoId, "id in `strings`: cpu.user_ns, memory.resident_bytes, …");
inline constexpr auto kValue = number<double>(kT, 3, "value", kPlain, 0, "as counted");
}

namespace parts {
inline constexpr auto kT = TableId::kParts;
inline constexpr auto kName  = text(kT, 1, "name", "of the part, as its file beside the recording was called");
inline constexpr auto kBytes = blob(kT, 2, "bytes", "the part: a .skyline file; one row per chunk");
}

namespace trace_info {
inline constexpr auto kT = TableId::kTraceInfo;
inline constexpr auto kKey   = text(kT, 1, "key", "name of a field of TraceInfo or Trace");
inline constexpr auto kValue = text(kT, 2, "value", "text, or a number in decimal");
}

namespace trace_metadata {
inline constexpr auto kT = TableId::kTraceMetadata;
inline constexpr auto kKey   = text(kT, 1, "key", "as written");
inline constexpr auto kValue = text(kT, 2, "value", "as written");
}

namespace trace_devices {
inline constexpr auto kT = TableId::kTraceDevices;
inline constexpr auto kId              = number<int64_t>(kT, 1, "id", kPlain, -1, "as written; -1, as below: not said");
inline constexpr auto kName            = text(kT, 2, "name", "as written");
inline constexpr auto kMemoryBytes     = number<int64_t>(kT, 3, "memory_bytes", kPlain, -1, "");
inline constexpr auto kMultiprocessors = number<int64_t>(kT, 4, "multiprocessors", kPlain, -1, "");
inline constexpr auto kComputeMajor    = number<int64_t>(kT, 5, "compute_major", kPlain, -1, "");
inline constexpr auto kComputeMinor    = number<int64_t>(kT, 6, "compute_minor", kPlain, -1, "");
inline constexpr auto kWarpSize        = number<int64_t>(kT, 7, "warp_size", kPlain, -1, "");
inline constexpr auto kMaxThreads      = number<int64_t>(kT, 8, "max_threads_per_multiprocessor", kPlain, -1, "");
}

namespace trace_strings {
inline constexpr auto kT = TableId::kTraceStrings;
inline constexpr auto kText = text(kT, 1, "text", "each text once; its row, counted through the file, is its id");
}

namespace trace_tracks {
inline constexpr auto kT = TableId::kTraceTracks;
inline constexpr auto kProcess       = number<uint32_t>(kT, 1, "process", kPlain, kNoId, "string: pid as written");
inline constexpr auto kThread        = number<uint32_t>(kT, 2, "thread", kPlain, kNoId, "string: tid as written");
inline constexpr auto kProcessName   = number<uint32_t>(kT, 3, "process_name", kPlain, kNoId, "string");
inline constexpr auto kProcessLabel  = number<uint32_t>(kT, 4, "process_label", kPlain, kNoId, "string");
inline constexpr auto kThreadName    = number<uint32_t>(kT, 5, "thread_name", kPlain, kNoId, "string");
inline constexpr auto kFirstSlice    = number<uint32_t>(kT, 6, "first_slice", kPlain, 0, "its slices stand together from here");
inline constexpr auto kSliceCount    = number<uint32_t>(kT, 7, "slice_count", kPlain, 0, "");
inline constexpr auto kActivityCount = number<uint32_t>(kT, 8, "activity_count", kPlain, 0, "how many of them are work on a device");
inline constexpr auto kLanes         = number<uint16_t>(kT, 9, "lanes", kPlain, 0, "");
}

namespace trace_steps {
inline constexpr auto kT = TableId::kTraceSteps;
inline constexpr auto kNumber  = number<int64_t>(kT, 1, "number", kPlain, 0, "");
inline constexpr auto kStartNs = number<int64_t>(kT, 2, "start_ns", kDelta, 0, "");
inline constexpr auto kEndNs   = number<int64_t>(kT, 3, "end_ns", kDelta, 0, "");
inline constexpr auto kTrack   = number<uint32_t>(kT, 4, "track", kPlain, kNoId, "");
inline constexpr auto kSlice   = number<uint32_t>(kT, 5, "slice", kPlain, kNoId, "its ProfilerStep range, if it has one");
}

namespace trace_event_counts {
inline constexpr auto kT = TableId::kTraceEventCounts;
inline constexpr auto kCategory = number<uint32_t>(kT, 1, "category", kPlain, kNoId, "string, as written");
inline constexpr auto kPhase    = number<uint8_t>(kT, 2, "phase", kPlain, 0, "a letter");
inline constexpr auto kCount    = number<uint64_t>(kT, 3, "count", kPlain, 0, "");
}

namespace trace_losses {
inline constexpr auto kT = TableId::kTraceLosses;
inline constexpr auto kName        = text(kT, 1, "name", "of the kind, as `skyline explain losses` lists them");
inline constexpr auto kCount       = number<uint64_t>(kT, 2, "count", kPlain, 0, "");
inline constexpr auto kFirstOffset = number<uint64_t>(kT, 3, "first_offset", kPlain, 0, "place of the first one in the text");
inline constexpr auto kDetail      = text(kT, 4, "detail", "what exactly, if there is more to say");
}

namespace trace_summaries {
inline constexpr auto kT = TableId::kTraceSummaries;
inline constexpr auto kName  = text(kT, 1, "name", "by which readers know what the bytes mean; others are kept as they are");
inline constexpr auto kBytes = blob(kT, 2, "bytes", "one row per chunk");
}

namespace device_text {
inline constexpr auto kT = TableId::kDeviceText;
inline constexpr auto kOffset = number<uint64_t>(kT, 1, "offset", kPlain, 0, "of the block in the text; blocks follow each other");
inline constexpr auto kText   = blob(kT, 2, "text", "one row per chunk, so that one block can be unpacked alone");
}

namespace source_text {
inline constexpr auto kT = TableId::kText;
inline constexpr auto kOffset = number<uint64_t>(kT, 1, "offset", kPlain, 0, "of the block in the text; blocks follow each other");
inline constexpr auto kText   = blob(kT, 2, "text", "one row per chunk, so that one block can be unpacked alone");
}

namespace seek_points {
inline constexpr auto kT = TableId::kSeekPoints;
inline constexpr auto kTextOffset   = number<uint64_t>(kT, 1, "text_offset", kPlain, 0, "where the text goes on");
inline constexpr auto kPackedOffset = number<uint64_t>(kT, 2, "packed_offset", kPlain, 0, "and the packed bytes");
inline constexpr auto kDecoder      = blob(kT, 3, "decoder", "the decoder's state there; only the program that wrote it can use it");
}
// clang-format on

// Values of events.kind.
enum class EventKind : uint8_t {
  kOp = 0,             // an operator
  kBackward = 1,       // an operator of the backward pass (torch's BACKWARD_FUNCTION)
  kUserRange = 2,      // record_function
  kStep = 3,           // a training step, named ProfilerStep#N
  kOptimizerStep = 4,  // Optimizer.step, named as torch names it
  kDataWait = 5,       // the training thread waits for the data loader
  kModule = 6,         // a call of an nn.Module
  kPython = 7,         // a call of a Python function
};

// Bits of events.flags.
enum EventFlag : uint8_t {
  kFlagUnfinished = 1,  // still running when recording stopped; its duration ends there
  kFlagAsync = 2,       // began and ended on different threads
};

}  // namespace skyline::tracefile
