// BatchSampler: runs other batch sizes and makes models of them.
#pragma once

#include <optional>

#include "session/profile/running_profile.h"

namespace skyline::session {

class BatchSampler {
 public:
  // `own` is the measurement of the entry point's batch size.
  BatchSampler(RunningProfile& run, const BatchMeasurement& own) : run_(run), own_(own) {}

  // Fills samples, held_out, failures and models of the result, and publishes them as they come.
  Attempt<Done> sample();

 private:
  Attempt<Done> keep_memory();
  Attempt<Done> run_samples();
  Attempt<Done> verify_largest();
  Attempt<Done> run_held_out();
  Attempt<Done> revisit();

  size_t most_samples() const;
  std::optional<int64_t> next_batch_size() const;
  int64_t reserved_for_largest() const;
  bool has_run(int64_t batch_size) const;
  bool is_known(int64_t batch_size) const;  // it has run, or failed
  BatchLimit largest_that_fits(const BatchModel& memory) const;
  double progress() const;

  Attempt<bool> try_batch_size(int64_t batch_size);
  Attempt<BatchMeasurement> measure(int64_t batch_size);
  Attempt<std::vector<int64_t>> measure_memory(BatchMeasurement& measured);
  Attempt<Done> note_failure(int64_t batch_size, const Trouble& trouble);
  Attempt<Done> visit_again(BatchMeasurement& sample);
  bool has_time_for_visits() const;
  void fit_models();

  RunningProfile& run_;
  const BatchMeasurement& own_;
};

}  // namespace skyline::session
