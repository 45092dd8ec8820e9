// Tests the batch-size models on the user's own model: profiles started at some batch sizes predict others,
// which are then measured.
#pragma once

#include <functional>
#include <vector>

#include "session/batch/evaluation.h"
#include "session/process/trouble.h"
#include "session/profile/profile_options.h"
#include "session/profile/profile_result.h"
#include "session/session_options.h"

namespace skyline::session {

struct EvaluateOptions {
  SessionOptions session;             // its profile's batch size is not used
  std::vector<int64_t> starts = {};   // none: the entry point's own, half of it and twice
  std::vector<int64_t> targets = {};  // none: some between those that the models are made from
  int64_t trials = 5;                 // how often each size is visited, in turns
};

struct EvaluateObserver {
  std::function<void(const Progress&)> progress = {};
  std::function<bool()> is_stopped = {};  // asked a few times a second
};

struct EvaluateResult {
  std::vector<StartModels> starts;
  std::vector<BatchFailure> failures;  // targets that could not be run in a trial
  PredictionErrors evaluation;
};

Attempt<EvaluateResult> evaluate(const EvaluateOptions& options, const EvaluateObserver& observer);

}  // namespace skyline::session
