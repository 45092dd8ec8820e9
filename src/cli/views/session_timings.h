// SKYLINE_TIMINGS=1: when a session has come to know what, for the bench.
//
//   {"now_ns": 81234567890123, "save": 2, "phase": "recording", "known": ["throughput", "timed"], …}
#pragma once

#include <cstdint>
#include <string>

#include "session/session.h"

namespace skyline::cli {

class SessionTimings {
 public:
  // One line of JSON; empty when there is nothing new since the last. `now_ns` is of the clock that all
  // processes share (CLOCK_MONOTONIC), so that whoever saved the file can subtract.
  std::string line(const session::SessionView& view, int64_t now_ns);

 private:
  std::string last_;  // without the time
};

}  // namespace skyline::cli
