#include "session/profile/live_evidence.h"

#include <algorithm>
#include <optional>

#include "session/profile/page_faults.h"

namespace skyline::session {
namespace {

constexpr double kEnough = 0.8;  // of what can be gained: farther out each percent costs more memory

std::optional<analyze::PageFaultTrial> page_fault_trial(const ProfileResult& result) {
  if (result.samples.empty() || !result.measured) return std::nullopt;
  const std::optional<PageFaults> faults = page_faults_of(result.samples.front());
  if (!faults) return std::nullopt;
  return analyze::PageFaultTrial{.faults = faults->per_iteration,
                                 .as_run_ns = faults->as_run_ns,
                                 .as_run_low_ns = result.measured->time.low_ns,
                                 .kept_ns = faults->kept_ns,
                                 .kept_noise = faults->noise};
}

// The smallest size that brings most of what can be had among those that were run and fit. Nothing where the
// models are in doubt.
std::optional<analyze::BatchTrial> batch_trial(const ProfileResult& result) {
  if (!result.models || !result.measured) return std::nullopt;
  const BatchModels& models = *result.models;
  analyze::BatchTrial trial;
  trial.knows_memory = models.doubt_of_largest() == BatchDoubt::kNone;
  int64_t most = models.time_ns.largest_sampled();
  if (trial.knows_memory) most = std::min(most, models.largest.batch_size);
  trial.now_per_second = result.samples_per_second();
  if (models.time_ns.doubt() != BatchDoubt::kNone || most < 1 || trial.now_per_second <= 0)
    return std::nullopt;

  const ThroughputPeak peak = throughput_peak(models.time_ns, most);
  trial.most_per_second = peak.per_second;
  const double least = (1 + analyze::kWorthAChange) * trial.now_per_second;
  if (peak.per_second < least) return trial;
  const double wanted =
      std::max(least, trial.now_per_second + kEnough * (peak.per_second - trial.now_per_second));
  trial.better = smallest_batch_for(models.time_ns, wanted, most).value_or(peak.batch_size);
  const ThroughputPrediction then = predict_throughput(models.time_ns, trial.better);
  trial.better_per_second = then.per_second;
  trial.better_low_per_second = then.low;
  trial.is_extrapolated = then.is_extrapolated;
  const BatchModel& memory = models.memory_that_must_fit();
  if (memory.doubt() == BatchDoubt::kNone && result.capacity.bytes > 0) {
    trial.better_bytes = memory.predict(trial.better).value;
    trial.capacity_bytes = result.capacity.bytes;
  }
  return trial;
}

}  // namespace

analyze::LiveEvidence live_evidence(const ProfileResult& result) {
  return {.page_faults = page_fault_trial(result), .batch = batch_trial(result)};
}

}  // namespace skyline::session
