// How well batch-size models predict what they were not shown: the arithmetic, without any running.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "session/batch_model.h"

namespace skyline {

// The models of one profile that was started at this batch size.
struct StartModels {
  int64_t batch_size = 0;
  BatchModel time_ns;
  BatchModel peak_bytes;
};

// What was measured at one batch size, one value per trial; each trial is a process of its own.
struct TargetTrials {
  int64_t batch_size = 0;
  std::vector<int64_t> time_ns = {};
  std::vector<int64_t> peak_bytes = {};
};

// A fraction: 0.02 is 2 %. Not a number where it can not be known.
struct CostErrors {
  double throughput = 0;
  double memory = 0;
};

struct PairErrors {
  int64_t start = 0;
  int64_t target = 0;
  double predicted_per_second = 0, measured_per_second = 0;  // samples; the trials' median
  int64_t predicted_bytes = 0, measured_bytes = 0;
  CostErrors errors = {};  // signed: above 0, too much was predicted
  bool is_inside = false;  // of the batch sizes that the model was made from
};

struct Evaluation {
  std::vector<PairErrors> pairs = {};  // by start, then by target
  CostErrors median_error = {};        // absolute, of the pairs inside
  // How far a single trial is from the median of the others, absolute, in the median: no model can be judged
  // more finely.
  CostErrors noise = {};
};

Evaluation evaluate_models(const std::vector<StartModels>& starts, const std::vector<TargetTrials>& targets);

// Batch sizes to test models at that were made from these: up to `most`, between sizes that were sampled,
// inside the range that all have in common.
std::vector<int64_t> choose_targets(const std::vector<StartModels>& starts, size_t most);

}  // namespace skyline
