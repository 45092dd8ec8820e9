// Sums of times that a broken file makes absurd. Times of real traces are exact; only centuries leave
// 64 bits of nanoseconds, and then the result stays at the end of the scale instead of turning over.
// TraceBuilder::freeze counts that as a loss (Loss::kSumTooLarge).
#pragma once

#include <algorithm>
#include <cstdint>

namespace skyline::analyze {

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

// A running sum of nanoseconds or bytes. It is exact; only what is read of it stays within 64 bits.
class SumNs {
 public:
  SumNs& operator+=(int64_t ns) {
    value_ += ns;
    return *this;
  }
  operator int64_t() const { return static_cast<int64_t>(std::clamp<Wide>(value_, INT64_MIN, INT64_MAX)); }

  // Divided before it is cut to 64 bits, so that a mean is right even if its sum cannot be shown.
  int64_t over(int64_t count) const { return static_cast<int64_t>(value_ / count); }

 private:
  __extension__ using Wide = __int128;

  Wide value_ = 0;
};

}  // namespace skyline::analyze
