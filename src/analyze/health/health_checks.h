// The rules about the recording, in groups by what they look at. Each adds what it found, in order or not,
// and nothing at all where its question makes no sense (no kernels, no question about kernels).
#pragma once

#include "analyze/core/activity_view.h"
#include "analyze/core/finding.h"
#include "analyze/health/health.h"

namespace skyline {

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

// health_reading.cpp: what the reader met.
void check_losses(const RecordingRuleInput& in, Findings& out);
void check_zero_times(const RecordingRuleInput& in, Findings& out);
void check_clock_resolution(const RecordingRuleInput& in, Findings& out);
void check_base_time(const RecordingRuleInput& in, Findings& out);
void check_zero_durations(const RecordingRuleInput& in, Findings& out);
void check_slice_overlap(const RecordingRuleInput& in, Findings& out);

// health_links.cpp: whether host and device fit together.
void check_host_missing(const RecordingRuleInput& in, Findings& out);
void check_device_missing(const RecordingRuleInput& in, Findings& out);
void check_lost_kernels(const RecordingRuleInput& in, Findings& out);
void check_external_ids(const RecordingRuleInput& in, Findings& out);
void check_unlinked(const RecordingRuleInput& in, Findings& out);
void check_before_launch(const RecordingRuleInput& in, Findings& out);
void check_kernel_overlap(const RecordingRuleInput& in, Findings& out);

// health_recording.cpp: what was recorded, and what could be next time.
void check_steps(const RecordingRuleInput& in, Findings& out);
void check_idle_steps(const RecordingRuleInput& in, Findings& out);
void check_device_metadata(const RecordingRuleInput& in, Findings& out);
void check_rank_metadata(const RecordingRuleInput& in, Findings& out);
void check_shapes(const RecordingRuleInput& in, Findings& out);
void check_stack(const RecordingRuleInput& in, Findings& out);
void check_memory(const RecordingRuleInput& in, Findings& out);

}  // namespace skyline
