// Levels of detail of a number that changes over time: per bucket of 2^L ns the extremes and the last value.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyze/timeline/levels.h"

namespace skyline::analyze {

// What the number is from this time on; of several samples in a bucket, the time of the first.
struct CounterPoint {
  int64_t time_ns;  // since the trace's start
  double low;
  double high;
  double last;

  bool operator==(const CounterPoint&) const = default;
};

struct CounterSample {
  int64_t time_ns;
  double value;
};

class CounterLevels {
 public:
  // Samples in the order of time; of several at the same time the last one holds.
  explicit CounterLevels(std::vector<CounterSample> samples);

  bool empty() const { return samples_.empty(); }
  std::span<const CounterSample> samples() const { return samples_; }

  // One point per bucket of the tile that has a sample, and the one before the first.
  std::vector<CounterPoint> tile(const TimelineTile& tile) const;

 private:
  struct Level {
    int level;
    std::vector<CounterPoint> points;
  };

  std::vector<CounterSample> samples_;
  std::vector<Level> levels_;  // finest first
};

}  // namespace skyline::analyze
