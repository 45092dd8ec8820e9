// FileClock: pairs of ticks and Unix time in the file, by which a reader turns the one into the other.
#pragma once

#include "collect/log/chunk_sink.h"
#include "collect/tables/clock.h"

namespace skyline::collect {

class FileClock {
 public:
  void write_to(ChunkSink& sink);
  // Now and then, so that a file that was cut off has a late one.
  void write_if_due(ChunkSink& sink);

  uint64_t first_ticks() const { return first_.ticks; }
  // Since the first pair.
  double ns_per_tick() const;

 private:
  EvenUnixClock unix_;
  ClockPoint first_ = {0, 0};
  uint64_t last_ticks_ = 0;
};

}  // namespace skyline::collect
