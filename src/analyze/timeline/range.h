// What happens within a stretch of time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trace/trace.h"

namespace skyline::analyze {

struct RangeCategory {
  Category category;
  uint64_t count = 0;   // slices that reach into the range
  int64_t busy_ns = 0;  // time in which at least one of them runs
};

struct RangeName {
  StringId name;
  Category category;
  uint64_t count = 0;
  int64_t total_ns = 0;  // sum of their times within the range, nested ones included
};

struct RangeSummary {
  int64_t dur_ns = 0;
  std::vector<RangeCategory> categories = {};  // the busiest first
  std::vector<RangeName> names = {};           // the longest first
};

// What happens on some tracks in a stretch of time; times are those of the file.
RangeSummary sum_up_range(const Trace& trace, int64_t start_ns, int64_t end_ns,
                          std::span<const TrackId> tracks, size_t most_names, unsigned threads);

}  // namespace skyline::analyze
