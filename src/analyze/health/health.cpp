#include "analyze/health/health.h"

#include <utility>

#include "analyze/health/recording_rule.h"

namespace skyline::analyze {

HealthLevel level_of(const Finding& finding) {
  if (finding.state == FindingState::kNotFound) return HealthLevel::kFine;
  return finding.severity == FindingSeverity::kWrong ? HealthLevel::kWrong : HealthLevel::kNote;
}

Finding about_recording(std::string_view id, HealthLevel level, int64_t count, std::string sentence,
                        std::string cure) {
  Finding finding;
  finding.id = id;
  finding.state = level == HealthLevel::kFine ? FindingState::kNotFound : FindingState::kFound;
  finding.severity = level == HealthLevel::kWrong ? FindingSeverity::kWrong : FindingSeverity::kNote;
  finding.count = count;
  finding.sentence = std::move(sentence);
  finding.cure = std::move(cure);
  return finding;
}

}  // namespace skyline::analyze
