// Sums of times that a broken file makes absurd. Times of real traces are exact; only centuries leave
// 64 bits of nanoseconds, and then the result stays at the end of the scale instead of turning over.
#pragma once

#include <cstdint>

namespace skyline {

inline int64_t plus(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b > 0 ? INT64_MAX : INT64_MIN;
}

inline int64_t minus(int64_t a, int64_t b) {
  int64_t difference = 0;
  if (!__builtin_sub_overflow(a, b, &difference)) return difference;
  return b < 0 ? INT64_MAX : INT64_MIN;
}

// A running sum of nanoseconds.
class SumNs {
 public:
  SumNs& operator+=(int64_t ns) {
    value_ = plus(value_, ns);
    return *this;
  }
  operator int64_t() const { return value_; }

 private:
  int64_t value_ = 0;
};

}  // namespace skyline
