// One event as it stands in the text: views into it, and the numbers that were read on the way.
#pragma once

#include <cstdint>
#include <string_view>

namespace skyline::ingest::kineto_json {

// The args that tables keep. Everything else stays in the text (trace/args_source.h).
struct RawArgs {
  std::string_view text;          // the whole args object; empty when there is none
  std::string_view inputs;        // `"key": value, …` from the first to the last of RawInputs
  std::string_view kernel_shape;  // the same for what is said about a kernel's launch
  std::string_view name;          // of metadata events, between its quotes
  std::string_view labels;        // of metadata events, between its quotes
  uint64_t external_id = 0;
  uint64_t correlation = UINT64_MAX;
  int64_t sequence = -1;
  uint64_t fwd_thread = 0;
  int64_t device = -1;
  int64_t stream = -1;
  int64_t copy_bytes = -1;
  int64_t python_id = -1;
  int64_t python_parent_id = -1;
  int64_t python_module_id = -1;
  uint64_t address = 0;
  int64_t bytes = INT64_MIN;  // INT64_MIN: missing, as in MemoryTable
  int64_t total_allocated = INT64_MIN;
  int64_t total_reserved = INT64_MIN;
  int64_t device_type = -1;
  int64_t device_id = -1;
  uint64_t graph_id = 0;
  uint64_t graph_node = 0;
  bool has_collective = false;
  bool has_compiled_call = false;
};

// Values of `args.inputs`, JSON text; empty when there is none. Only set if that is not empty.
struct RawInputs {
  std::string_view dims;
  std::string_view types;
  std::string_view strides;
  std::string_view concrete;
};

enum class Seen : uint8_t { kNo, kGood, kBad };  // kBad: there, but not a usable number

struct RawEvent {
  std::string_view name;      // between its quotes, escapes not resolved
  std::string_view category;  // the same
  std::string_view process;   // a number's digits or a string's inside
  std::string_view thread;    // the same
  char phase = 0;             // 0: missing or not one character
  Seen time = Seen::kNo;
  Seen duration = Seen::kNo;
  bool inexact_time = false;  // digits below one nanosecond were cut off
  bool has_id = false;
  uint32_t repeated_keys = 0;   // of those we read; the last value counts
  uint32_t bad_numbers = 0;     // wanted args that are not numbers or too large
  uint32_t quoted_numbers = 0;  // numbers written as text
  uint32_t bare_tokens = 0;     // NaN, N/A and the like, where we looked
  int64_t time_ns = 0;
  int64_t duration_ns = 0;
  uint64_t id = 0;
  RawArgs args;
  RawInputs inputs;  // last, as it is not reset for every event
};

}  // namespace skyline::ingest::kineto_json
