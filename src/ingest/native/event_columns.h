// The events of one chunk, unpacked.
#pragma once

#include "tracefile/tracefile.h"

namespace skyline::ingest::native {

struct EventColumns {
  Column<uint32_t> thread;
  Column<uint64_t> start_ticks;
  Column<uint64_t> dur_ticks;
  Column<uint32_t> name;
  Column<uint8_t> kind;
  Column<int64_t> sequence;
  Column<uint32_t> fwd_thread;
  Column<uint32_t> shapes;
  Column<uint32_t> stack;
  Column<uint8_t> flags;
  Column<uint32_t> collective;
  bool ok = false;  // false: damaged, nothing can be used

  size_t size() const { return ok ? thread.size() : 0; }
};

EventColumns read_events(const tracefile::Chunk& chunk);

// Adding up without running over: a tick is 64 bits, and damaged files hold any.
constexpr uint64_t end_tick(uint64_t start, uint64_t duration) {
  return start + duration < start ? UINT64_MAX : start + duration;
}

}  // namespace skyline::ingest::native
