// Trace: everything that is known about one recorded process (one rank), whatever file it came
// from. Made by a TraceBuilder, immutable afterwards.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/string_pool.h"
#include "trace/args_source.h"
#include "trace/losses.h"
#include "trace/tables.h"

namespace skyline {

// A thread, a stream, or any other row that slices stand on. Ids are texts: producers write numbers,
// names and empty strings.
struct Track {
  StringId process;       // pid as written
  StringId thread;        // tid as written
  StringId process_name;  // from metadata events
  StringId process_label;
  StringId thread_name;
  SliceId first_slice;  // its slices are [first_slice, first_slice + slice_count)
  uint32_t slice_count = 0;
  uint32_t activity_count = 0;
  uint16_t lanes = 0;

  bool is_stream() const { return activity_count > 0; }
};

struct Device {
  int64_t id = -1;
  std::string name;
  int64_t memory_bytes = -1;
  int64_t multiprocessors = -1;
  int64_t compute_major = -1;
  int64_t compute_minor = -1;
  int64_t warp_size = -1;
  int64_t max_threads_per_multiprocessor = -1;
};

struct Step {
  int64_t number;
  int64_t start_ns;
  int64_t end_ns;
  TrackId track;  // the thread that trains
  SliceId slice;  // its ProfilerStep slice; none if the step was inferred

  int64_t dur_ns() const { return end_ns - start_ns; }
};

enum class StepSource : uint8_t { kNone, kProfilerStep, kOptimizerStep };

struct EventCount {
  StringId category;  // as written; empty when there was none
  char phase;
  uint64_t count;
};

// A source file of the user's program as it was when it was recorded.
struct SourceFile {
  std::string path;  // as frames name it
  std::string hash;  // "algorithm:hex"
  std::string text;  // empty: not kept
};

// Results that go along with a trace in its file, for readers that know the name.
struct Summary {
  std::string name;
  std::string bytes;
};

struct TraceInfo {
  std::string path;
  std::string format;       // "kineto-json", "skyline"
  std::string producer;     // what can be told of torch and the device library
  std::string compression;  // "none", "gzip", "zstd"
  std::string trace_name;
  std::string host_name;
  std::string backend;  // of torch.distributed
  std::string nccl_version;
  int64_t rank = -1;        // -1: the file does not say
  int64_t world_size = -1;  // -1: the file does not say
  int64_t base_ns = 0;      // file time 0 as Unix time, 0 when times are Unix times already
  int64_t schema_version = -1;
  uint64_t source_bytes = 0;        // on disk
  uint64_t text_bytes = 0;          // uncompressed
  bool from_cache = false;          // a copy was read instead of the file, which changes nothing
  bool whole_microseconds = false;  // the producer's clock resolution (torch < 2.4)
  // What was switched on while recording; -1: the file does not say.
  int record_shapes = -1, profile_memory = -1, with_stack = -1, with_modules = -1, with_flops = -1;
  std::vector<Device> devices;
  std::vector<std::pair<std::string, std::string>> metadata;  // remaining scalar keys, as written
};

struct Trace {
  TraceInfo info;
  StringPool strings;
  std::vector<Track> tracks;  // by first appearance in the file
  SliceTable slices;
  OpTable ops;
  SignatureTable signatures;
  InputTable inputs;
  InputSizeTable input_sizes;
  PythonTable pythons;
  LaunchTable launches;
  ActivityTable activities;
  KernelShapeTable kernel_shapes;
  SyncTable syncs;
  CollectiveTable collectives;
  CompiledCallTable compiled_calls;
  MemoryTable memory;
  TensorTable tensors;
  CounterTable counters;
  FrameTable frames;
  StackTable stacks;
  ModuleTable modules;
  SampleTable samples;
  GcPauseTable gc_pauses;
  ProcessTable processes;
  SettingTable settings;
  ProcessCounterTable process_counters;
  std::vector<SourceFile> sources;
  std::vector<Summary> summaries;
  std::vector<Step> steps;
  StepSource step_source = StepSource::kNone;
  uint64_t event_count = 0;
  std::vector<EventCount> event_counts;  // by first appearance
  LossCounts losses;
  std::unique_ptr<ArgsSource> args;  // none when the trace did not come from text

  std::string_view slice_name(SliceId id) const { return strings[slices.name[id.value]]; }
  Category category(SliceId id) const { return slices.category[id.value]; }

  // What a row of ops was called with, as written; none if that is not known.
  StringId input_dims(uint32_t op) const { return of_signature(op, signatures.dims); }
  StringId input_types(uint32_t op) const { return of_signature(op, signatures.types); }

  // First start and last end of all slices; both 0 when there are none. The producer's own marks
  // (spans, overhead, window end) do not count.
  int64_t first_ns = 0;
  int64_t last_ns = 0;

 private:
  StringId of_signature(uint32_t op, const Column<StringId>& texts) const {
    const SignatureId signature = ops.signature[op];
    return signature.exists() ? texts[signature.value] : StringId();
  }
};

}  // namespace skyline
