// What a live session has tried out, for the rules that need more than a recording. The session fills it in.
#pragma once

#include <cstdint>
#include <optional>

namespace skyline::analyze {

// An iteration in a process like the user's, and in one that keeps the memory it frees.
struct PageFaultTrial {
  int64_t faults = 0;         // per iteration, in the user's process
  int64_t as_run_ns = 0;      // an iteration there
  int64_t as_run_low_ns = 0;  // the least that its median may be
  int64_t kept_ns = 0;        // an iteration in the other one
  double kept_noise = 0;      // by how much that may be off, as a share of it
};

// The batch sizes that were run, and what a model of them predicts.
struct BatchTrial {
  bool knows_memory = false;   // those that do not fit are left out
  double now_per_second = 0;   // samples, at the own batch size
  double most_per_second = 0;  // among the sizes that were run
  // The smallest size that brings most of what can be gained; 0: none is worth a change.
  int64_t better = 0;
  double better_per_second = 0, better_low_per_second = 0;
  bool is_extrapolated = false;
  int64_t better_bytes = 0;    // what it would use; 0: not known
  int64_t capacity_bytes = 0;  // of what there is
};

struct LiveEvidence {
  std::optional<PageFaultTrial> page_faults;
  std::optional<BatchTrial> batch;
};

// Less than this is not worth changing a line or a setting for.
inline constexpr double kWorthAChange = 0.05;

}  // namespace skyline::analyze
