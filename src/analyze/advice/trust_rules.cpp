#include "analyze/advice/trust_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyze/advice/saying.h"
#include "analyze/advice/training_facts.h"
#include "analyze/core/analysis.h"
#include "base/median.h"

namespace skyline::analyze {
namespace {

constexpr size_t kFewestToTell = 5, kEnoughForClaims = 20;

std::vector<int64_t> step_durations(const Trace& trace) {
  std::vector<int64_t> durations;
  for (const Step& step : trace.steps) durations.push_back(step.dur_ns());
  return durations;
}

Finding note(std::string_view id, std::string sentence, std::string cure) {
  Finding finding;
  finding.id = id;
  finding.severity = FindingSeverity::kNote;
  finding.sentence = std::move(sentence);
  finding.cure = std::move(cure);
  return finding;
}

}  // namespace

void rule_warm_up(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "steps.warm_up";
  const std::vector<int64_t> durations = step_durations(analyzed.trace());
  if (durations.size() < kFewestToTell) {
    out.push_back(
        cannot_judge(kId, "Too few steps to tell warm-up from training.", "Record five steps or more."));
    return;
  }
  const int64_t usual = lower_median(durations);
  const auto end =
      std::find_if(durations.begin(), durations.end(), [&](int64_t dur) { return dur <= usual + usual / 2; });
  const auto slow = end - durations.begin();
  if (slow == 0 || static_cast<size_t>(slow) * 2 > durations.size()) {
    out.push_back(not_found(kId, "The first steps take as long as the others."));
    return;
  }
  Finding finding = note(kId,
                         fmt::format("The first {} still warm{} up: {} instead of {}, which the totals hold.",
                                     slow == 1 ? "step" : fmt::format("{} steps", slow), slow == 1 ? "s" : "",
                                     time_text(*std::max_element(durations.begin(), end)), time_text(usual)),
                         "Skip the first steps: skyline run --after-steps, or a schedule with warmup.");
  finding.count = slow;
  out.push_back(std::move(finding));
}

void rule_recording_cost(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "recording.slows";
  for (const Figure& figure : compute_figures(analyzed, {"recording"})) {
    if (figure.def->name != "recording.cost_share") continue;
    const double* const share = std::get_if<double>(&figure.value);
    if (share == nullptr) {
      out.push_back(cannot_judge(kId, "What recording cost is known of Skyline's own recordings only.",
                                 "Record with skyline run."));
    } else if (*share <= 0.05) {
      out.push_back(not_found(kId, "Recording costs little."));
    } else {
      Finding finding =
          note(kId,
               fmt::format("Recording itself takes {:.0f} % of the step, most of it around small operators.",
                           100 * *share),
               "Record less: --no-stack, --no-shapes, --no-memory.");
      finding.evidence.figures = {"recording.cost_share"};
      out.push_back(std::move(finding));
    }
  }
}

void rule_few_steps(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "steps.few";
  std::vector<int64_t> durations = step_durations(analyzed.trace());
  if (durations.empty()) return;  // steps.missing says it
  std::sort(durations.begin(), durations.end());
  const int64_t middle_half = durations[durations.size() * 3 / 4] - durations[durations.size() / 4];
  const int64_t usual = lower_median(durations);
  // With equal steps a few are enough.
  if (durations.size() >= kEnoughForClaims || (durations.size() >= 3 && middle_half < usual / 5)) {
    out.push_back(not_found(kId, "There are enough steps."));
    return;
  }
  Finding finding =
      note(kId,
           durations.size() == 1
               ? "Only one step was recorded: it may not be a usual one."
               : fmt::format("Only {} steps were recorded, and they differ: {} to {}.", durations.size(),
                             time_text(durations.front()), time_text(durations.back())),
           "Record 20 steps or more.");
  finding.count = static_cast<int64_t>(durations.size());
  out.push_back(std::move(finding));
}

}  // namespace skyline::analyze
