// Time in ticks: the processor's time stamp counter where it is steady, nanoseconds elsewhere.
// Ticks become Unix time later, by pairs of both that are taken now and then.
#pragma once

#include <cstdint>
#include <ctime>

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

namespace skyline::collect {

inline int64_t read_ns(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

#if defined(__x86_64__)
// It counts at one rate on all cores, also while they sleep.
inline bool has_steady_counter() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & 1u << 8) != 0;
}
inline const bool kCounterIsSteady = has_steady_counter();
#endif

inline uint64_t read_ticks() {
#if defined(__x86_64__)
  if (kCounterIsSteady) [[likely]] {
    return __rdtsc();
  }
#endif
  return static_cast<uint64_t>(read_ns(CLOCK_MONOTONIC));
}

// Unix time that goes on evenly from when it was made: who sets the system's clock meanwhile would falsify
// durations.
class EvenUnixClock {
 public:
  int64_t now_ns() const { return offset_ns_ + read_ns(CLOCK_MONOTONIC); }

 private:
  int64_t offset_ns_ = read_ns(CLOCK_REALTIME) - read_ns(CLOCK_MONOTONIC);
};

struct ClockPoint {
  uint64_t ticks;
  int64_t unix_ns;
};

// Of several tries the one whose two readings lie closest together.
inline ClockPoint read_clock(const EvenUnixClock& clock) {
  ClockPoint best{0, 0};
  uint64_t shortest = UINT64_MAX;
  for (int i = 0; i < 8; ++i) {
    const uint64_t before = read_ticks();
    const int64_t now = clock.now_ns();
    const uint64_t after = read_ticks();
    if (after - before < shortest) {
      shortest = after - before;
      best = {before + (after - before) / 2, now};
    }
  }
  return best;
}

}  // namespace skyline::collect
