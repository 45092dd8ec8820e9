// Time in ticks: the processor's time stamp counter where it is steady, nanoseconds elsewhere.
// Ticks become Unix time later, by pairs of both that are taken now and then.
#pragma once

#include <cstdint>
#include <ctime>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace skyline::collect {

inline int64_t unix_ns() {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

inline uint64_t read_ticks() {
#if defined(__x86_64__)
  return __rdtsc();
#else
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
#endif
}

struct ClockPoint {
  uint64_t ticks;
  int64_t unix_ns;
};

// Of several tries the one whose two readings lie closest together.
inline ClockPoint read_clock() {
  ClockPoint best{0, 0};
  uint64_t shortest = UINT64_MAX;
  for (int i = 0; i < 8; ++i) {
    const uint64_t before = read_ticks();
    const int64_t now = unix_ns();
    const uint64_t after = read_ticks();
    if (after - before < shortest) {
      shortest = after - before;
      best = {before + (after - before) / 2, now};
    }
  }
  return best;
}

}  // namespace skyline::collect
