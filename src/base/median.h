// The value in the middle, by three rules for an even number of values. There must be one value at least.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/check.h"

namespace skyline {

template <typename T>
T nth_smallest(std::vector<T>& values, size_t n) {
  CHECK(n < values.size());
  const auto at = values.begin() + static_cast<ptrdiff_t>(n);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

// Of the two in the middle the smaller: one that was measured.
template <typename T>
T lower_median(std::vector<T> values) {
  return nth_smallest(values, (values.size() - 1) / 2);
}

// The larger of them.
template <typename T>
T upper_median(std::vector<T> values) {
  return nth_smallest(values, values.size() / 2);
}

// Between them.
inline double median(const std::vector<double>& values) {
  const double upper = upper_median(values);
  return values.size() % 2 == 1 ? upper : (lower_median(values) + upper) / 2;
}

// Between them, rounded down.
inline int64_t median(const std::vector<int64_t>& values) {
  const int64_t lower = lower_median(values);
  return lower + (upper_median(values) - lower) / 2;
}

}  // namespace skyline
