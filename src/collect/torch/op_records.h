// The beginning and the end of an operator or range, whoever tells of them.
#pragma once

#include <ATen/record_function.h>

#include <optional>
#include <string_view>

#include "collect/log/thread_log.h"

namespace skyline::collect {

struct RangeStart {
  const void* owner;  // pairs the end with the beginning
  int64_t sequence;
  uint64_t forward_thread;
  at::RecordScope scope;
  c10::ArrayRef<const c10::IValue> inputs;  // none where they are not recorded
};

// Notes what cannot be known later and reads the clock last. The name: one that may stay where it is, an
// operator's, one that was made for this call, or its number. False: it is not recorded. Nothing may be
// thrown here: it would fly through the user's operator. Ends come in reverse order of beginnings.
bool begin_range(const char* name, const RangeStart& start) noexcept;
bool begin_range(const c10::FunctionSchema& schema, const RangeStart& start) noexcept;
bool begin_range(std::string_view name, const RangeStart& start) noexcept;
bool begin_range(uint32_t name, const RangeStart& start) noexcept;

// Reads the clock first and writes one record.
void end_range(const void* owner) noexcept;

// The record of a range of the user's own, all but its end, and the number of the thread; std::nullopt: it is
// not recorded. Whoever keeps it ends it (user_ranges.h).
struct BegunRange {
  Record record;
  uint32_t thread;
  uint64_t session;  // the recording that it belongs to
};
std::optional<BegunRange> begin_user_range(const char* name, const RangeStart& start) noexcept;
void end_user_range(BegunRange& range) noexcept;

// When nobody records any more: what has not ended yet is written as far as it came.
void cut_open_ranges(ThreadLog& log, uint64_t now);

// c10d puts a range of this name around each collective.
void note_collective_name();

}  // namespace skyline::collect
