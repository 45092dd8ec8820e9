#include "analyze/advice/live_rules.h"

#include <fmt/format.h>

#include "base/number_text.h"

namespace skyline::analyze {
namespace {

// For glibc: what is freed stays on the heap, and all that it lets be there comes from there.
constexpr const char* kKeepMemory = "MALLOC_TRIM_THRESHOLD_=4294967296 MALLOC_MMAP_THRESHOLD_=33554432";

Finding judge_page_faults(const PageFaultTrial& trial) {
  Finding finding = {.id = "memory.page_faults", .severity = FindingSeverity::kAdvice};
  const auto kept_ns = static_cast<double>(trial.kept_ns), as_run_ns = static_cast<double>(trial.as_run_ns);
  const double gain = 1 - kept_ns / as_run_ns;
  const double kept_high_ns = kept_ns * (1 + trial.kept_noise);
  finding.count = trial.faults;
  if (gain < kWorthAChange) {
    finding.state = FindingState::kNotFound;
    finding.sentence = "Page faults cost less than is worth a setting.";
    return finding;
  }
  if (kept_high_ns >= static_cast<double>(trial.as_run_low_ns)) {
    finding.state = FindingState::kCannotJudge;
    finding.sentence = "Iterations differ too much to tell what page faults cost.";
    return finding;
  }
  finding.sentence = fmt::format(
      "{:.0f} % of the iteration is page faults, {} of them, as freed memory goes back to the system: "
      "started with {} it takes {:.3g} ms instead of {:.3g}.",
      100 * gain, trial.faults, kKeepMemory, kept_ns / 1e6, as_run_ns / 1e6);
  finding.cure = fmt::format("Start the training with {}.", kKeepMemory);
  const double noise_ns = kept_ns * trial.kept_noise;
  finding.gain = FindingGain{.time_ns = trial.as_run_ns - trial.kept_ns,
                             .low_ns = trial.as_run_low_ns - static_cast<int64_t>(kept_high_ns),
                             .high_ns = trial.as_run_ns - static_cast<int64_t>(kept_ns - noise_ns),
                             .origin = FindingGain::Origin::kTried};
  return finding;
}

Finding judge_batch_size(const BatchTrial& trial) {
  Finding finding = {.id = "batch.size", .severity = FindingSeverity::kAdvice};
  if (trial.most_per_second < (1 + kWorthAChange) * trial.now_per_second) {
    finding.state = FindingState::kNotFound;
    finding.sentence = fmt::format("No batch size that was run{} is {} faster.",
                                   trial.knows_memory ? " and fits" : "", percent_text(kWorthAChange));
    return finding;
  }
  if (trial.better == 0 || trial.better_low_per_second <= trial.now_per_second || trial.is_extrapolated) {
    finding.state = FindingState::kCannotJudge;
    finding.sentence = "Whether a larger batch is faster is not clear from the sizes that were run.";
    return finding;
  }
  finding.sentence = fmt::format("Batch {} would give about {} more", with_gaps(trial.better),
                                 percent_text(trial.better_per_second / trial.now_per_second - 1));
  if (trial.better_bytes > 0 && trial.capacity_bytes > 0) {
    finding.sentence += fmt::format(" and use {}", part_of_bytes(trial.better_bytes, trial.capacity_bytes));
  }
  finding.sentence += ".";
  finding.cure = fmt::format("Set the batch size to {}.", trial.better);
  return finding;
}

}  // namespace

void rule_page_faults(const LiveEvidence& evidence, Findings& out) {
  if (evidence.page_faults) out.push_back(judge_page_faults(*evidence.page_faults));
}

void rule_batch_size(const LiveEvidence& evidence, Findings& out) {
  if (evidence.batch) out.push_back(judge_batch_size(*evidence.batch));
}

}  // namespace skyline::analyze
