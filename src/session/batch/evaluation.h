// How well batch-size models predict what they were not shown: the arithmetic, without any running.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "session/batch/batch_model.h"

namespace skyline::session {

// What was measured at a batch size that the models were not shown, in turns with the samples of the models:
// a machine that is slower for a while is so for both.
struct TargetTrials {
  int64_t batch_size = 0;
  std::vector<int64_t> time_ns = {};  // the median of each visit
  int64_t peak_bytes = 0;
};

// The models of one profile that was started at this batch size.
struct StartModels {
  int64_t batch_size = 0;
  BatchModel time_ns;
  BatchModel peak_bytes;
  std::vector<TargetTrials> targets = {};
};

// A fraction: 0.02 is 2 %. Not a number where it cannot be known.
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

struct PredictionErrors {
  std::vector<PairErrors> pairs = {};  // by start, then by target
  CostErrors median_error = {};        // absolute, of the pairs inside
  // How far one half of the trials is from the other, absolute, in the median: no model can be judged more
  // finely.
  double noise = 0;  // of throughput
};

PredictionErrors evaluate_models(const std::vector<StartModels>& starts);

}  // namespace skyline::session
