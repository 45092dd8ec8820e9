// Which batch sizes to measure next.
//
// First doublings and halvings of the current size, nearest first, up to eight times either way, then 1,
// where fixed costs show; then the middle of the widest gap, the nearest of equal ones. A size that failed
// closes the side it is on: what needs more memory than there is, or raises for batch 1, also does so farther
// out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "session/batch/batch_model.h"

namespace skyline::session {

struct BatchPlanInput {
  int64_t current = 1;                  // the entry point's batch size
  const BatchModel* time_ns = nullptr;  // of what was measured so far; null before the first sample
  const BatchModel* memory_bytes = nullptr;
  std::vector<int64_t> failed = {};            // sizes that raised, ran out of memory or took too long
  std::optional<int64_t> capacity_bytes = {};  // none: anything may fit
  int64_t budget_ns = 0;                       // left for all samples together
  int64_t iterations = 10;                     // that one sample costs, warm-up included
  bool leaves_gaps = false;                    // never fills one up, for those who test the models there
};

// How many samples make a first model, and a good one.
inline constexpr size_t kFirstSamples = 3;
inline constexpr size_t kEnoughSamples = 5;

// At most `count` sizes, in the order in which to measure them; none twice, none that was measured or has
// failed, none that is predicted not to fit, and together predicted to stay within the budget. Before the
// first sample it is the current size alone, whatever the budget, as nothing is known of its cost.
std::vector<int64_t> next_batch_sizes(const BatchPlanInput& input, size_t count);

// Sizes that no sample is at, in the middle between neighbours, where an error can be largest: up to `most`
// of them, evenly, with the first and the last. `sampled` in any order.
std::vector<int64_t> sizes_between(std::vector<int64_t> sampled, size_t most);

}  // namespace skyline::session
