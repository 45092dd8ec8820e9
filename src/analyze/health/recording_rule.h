// What the rules about the recording share: reading.h, links.h and recording.h, by what they look at. Each
// rule adds what it found, in order or not, and nothing at all where its question makes no sense (no kernels,
// no question about kernels).
#pragma once

#include "analyze/core/activity_view.h"
#include "analyze/core/finding.h"
#include "analyze/health/health.h"

namespace skyline::analyze {

struct RecordingRuleInput {
  explicit RecordingRuleInput(const AnalyzedTrace& of)
      : analyzed(of), trace(of.trace()), view(of.get<ActivityView>()) {}

  const AnalyzedTrace& analyzed;
  const Trace& trace;
  const ActivityView& view;
};

// A finding about the recording.
Finding about_recording(std::string_view id, HealthLevel level, int64_t count, std::string sentence,
                        std::string cure);

// For events of categories that we do not know.
inline constexpr std::string_view kUnknownCure =
    "Use a newer version of Skyline, or report the category's name.";

}  // namespace skyline::analyze
