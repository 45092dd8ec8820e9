// What repeated iterations say about one: the median, and how sure of it we are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace skyline::session {

struct IterationTime {
  int64_t median_ns = 0;
  // The interval that holds the true median with a chance of at least 95 %, whatever the distribution: two
  // order statistics. With fewer than 6 samples no pair is that sure; then it is the smallest and the
  // largest.
  int64_t low_ns = 0;
  int64_t high_ns = 0;
  // Spread: the quartiles.
  int64_t quarter_ns = 0;
  int64_t three_quarters_ns = 0;
  size_t count = 0;

  // Half the interval's width over the median; infinite when that is not known.
  double uncertainty() const;
};

IterationTime summarize(std::span<const int64_t> durations_ns);

// Half the width of the median's 95 % interval as a share of it, if the values are normal but for some odd
// ones: sharper than the interval above, which asks nothing of them and for few values is all of them. At
// least 2 values.
double noise_of_median(std::span<const int64_t> values);

// Whether iterations no longer get faster: the last three are within a tenth of each other.
bool has_settled(std::span<const int64_t> durations_ns);

// When to stop timing.
struct TimingGoal {
  double uncertainty = 0.02;
  size_t min_count = 6;
  size_t max_count = 1000;
};

bool is_reached(const TimingGoal& goal, const IterationTime& time);

}  // namespace skyline::session
