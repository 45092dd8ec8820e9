// Device activities by what their names tell, within steps.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analyze/advice/training_facts.h"
#include "analyze/core/intervals.h"

namespace skyline::analyze {

struct NamedActivities {
  IntervalSet moments;
  int64_t total_ns = 0, count = 0;
  uint32_t op = kNoRow;         // of the longest
  std::vector<SliceId> slices;  // the longest
};

NamedActivities activities_named(const TrainingFacts& facts, bool (*test)(std::string_view));

}  // namespace skyline::analyze
