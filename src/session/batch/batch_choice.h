// Which batch size to take: for the most samples per second, for a memory budget, for a target of either.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "session/batch/batch_model.h"

namespace skyline::session {

// Samples per second; 0 if an iteration is predicted to take no time.
double throughput(const BatchModel& time_ns, int64_t batch_size);

// The same with its interval, which is that of the time turned round.
struct ThroughputPrediction {
  double per_second = 0;
  double low = 0;
  double high = 0;
  bool is_extrapolated = false;
};
ThroughputPrediction predict_throughput(const BatchModel& time_ns, int64_t batch_size);

// Batch sizes 1 to most for those who show predictions: every one up to 512, then each about 1 % larger than
// the one before. most >= 1.
std::vector<int64_t> sizes_up_to(int64_t most);

struct BatchLimit {
  int64_t batch_size = 0;        // 0: not even 1
  bool is_extrapolated = false;  // beyond what was measured
  bool is_reached = false;  // one more would be too much; false: the search ended first, larger ones may do
};

// How far from the samples a search goes at most: farther out a prediction is a guess.
inline constexpr int64_t kFarthestFactor = 16;

// The largest batch whose memory stays within capacity even at the interval's high end. One that was measured
// to fit is better than a prediction that is smaller or next to it.
BatchLimit largest_batch_that_fits(const BatchModel& memory_bytes, int64_t capacity_bytes);

// The largest batch whose expected memory is within target. For a target that may be missed by a little.
BatchLimit largest_batch_within(const BatchModel& memory_bytes, int64_t target_bytes);

struct ThroughputPeak {
  int64_t batch_size = 0;
  double per_second = 0;
  bool is_extrapolated = false;
  int64_t knee_batch_size = 0;  // the smallest with at least 90 % of it
};

inline constexpr double kKneeShare = 0.9;

// The largest predicted throughput for batch sizes 1 to most; of equals one among the sampled sizes, and of
// those the smallest. most >= 1.
ThroughputPeak throughput_peak(const BatchModel& time_ns, int64_t most);

// The smallest batch of 1 to most with at least this many samples per second; none: no batch has.
std::optional<int64_t> smallest_batch_for(const BatchModel& time_ns, double per_second, int64_t most);

}  // namespace skyline::session
