// What page faults cost an iteration on the CPU.
//
// When much of what an iteration has freed lies at the end of the heap, glibc gives it back to the system,
// and the next iteration fetches it again page by page. How much that is depends on chance and on what the
// process ran before, so that the same program is faster or slower from one start to the next. The entry
// point's own size is therefore timed first in a process like the user's; then the process is told to keep
// what it frees, and the own size is run again with all others.
#pragma once

#include <cstdint>
#include <optional>

namespace skyline::session {

struct BatchMeasurement;

struct PageFaults {
  int64_t per_iteration = 0;       // in a process like the user's
  int64_t kept_per_iteration = 0;  // in one that keeps what it frees
  int64_t as_run_ns = 0;           // an iteration in the one and in the other
  int64_t kept_ns = 0;
  double noise = 0;  // of kept_ns, as a share of it

  // How much longer an iteration takes in the user's process.
  double ratio() const { return static_cast<double>(as_run_ns) / static_cast<double>(kept_ns); }
};

// Nothing when they do not matter, or when the own size has not been run both ways.
std::optional<PageFaults> page_faults_of(const BatchMeasurement& own);

}  // namespace skyline::session
