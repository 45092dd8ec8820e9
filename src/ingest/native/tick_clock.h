// Ticks of the recorder's counter as Unix time.
//
// The file pairs ticks with Unix times now and then. Between two pairs time runs evenly; before the
// first and behind the last as it does in the nearest stretch. All in integers: the same tick is the
// same nanosecond for every event, and of two ticks the later one never comes out earlier.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace skyline::ingest::native {

class TickClock {
 public:
  struct Point {
    uint64_t ticks;
    int64_t unix_ns;
  };

  // In any order; points at which Unix time stood still or went back are left out. With a single one,
  // `ticks_per_second` tells the pace.
  explicit TickClock(std::vector<Point> points = {}, uint64_t ticks_per_second = 1'000'000'000);

  // `hint` is where the last answer was found, for callers with many ticks in nearly rising order.
  int64_t unix_ns(uint64_t ticks, size_t& hint) const;
  int64_t unix_ns(uint64_t ticks) const {
    size_t hint = 0;
    return unix_ns(ticks, hint);
  }

 private:
  std::vector<Point> points_;  // two at least
};

}  // namespace skyline::ingest::native
