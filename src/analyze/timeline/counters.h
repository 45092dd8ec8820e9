// Numbers over time, drawn between the tracks: memory, work that waits for a device, copies, and what the
// file counts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyze/core/analyzed_trace.h"
#include "analyze/timeline/counter_levels.h"

namespace skyline::analyze {

enum class Unit : uint8_t;  // analyze/analyze.h

struct TimelineCounter {
  std::string name;  // "memory allocated · cuda:0"
  Unit unit;
  std::string definition;
  double low;  // of all samples
  double high;
  CounterLevels levels;
};

// Memory by device, queues by device and stream, copies by direction, then the file's own, in its order. None
// is empty.
std::vector<TimelineCounter> timeline_counters(const AnalyzedTrace& analyzed, unsigned threads);

}  // namespace skyline::analyze
