// The checks of examine(), in groups by what they look at. Each adds what it found, fine or not, and
// nothing at all where its question makes no sense (no kernels, no question about kernels).
#pragma once

#include "analyze/core/activity_view.h"
#include "analyze/health/health.h"

namespace skyline {

struct HealthInput {
  explicit HealthInput(const AnalyzedTrace& of)
      : analyzed(of), trace(of.trace()), view(of.get<ActivityView>()) {}

  const AnalyzedTrace& analyzed;
  const Trace& trace;
  const ActivityView& view;
};

using HealthItems = std::vector<HealthItem>;

// For events of categories that we do not know.
inline constexpr std::string_view kUnknownCure =
    "Use a newer version of Skyline, or report the category's name.";

// health_reading.cpp: what the reader met.
void check_losses(const HealthInput& in, HealthItems& out);
void check_zero_times(const HealthInput& in, HealthItems& out);
void check_clock_resolution(const HealthInput& in, HealthItems& out);
void check_base_time(const HealthInput& in, HealthItems& out);
void check_zero_durations(const HealthInput& in, HealthItems& out);
void check_slice_overlap(const HealthInput& in, HealthItems& out);

// health_links.cpp: whether host and device fit together.
void check_host_missing(const HealthInput& in, HealthItems& out);
void check_device_missing(const HealthInput& in, HealthItems& out);
void check_lost_kernels(const HealthInput& in, HealthItems& out);
void check_external_ids(const HealthInput& in, HealthItems& out);
void check_unlinked(const HealthInput& in, HealthItems& out);
void check_before_launch(const HealthInput& in, HealthItems& out);
void check_kernel_overlap(const HealthInput& in, HealthItems& out);

// health_recording.cpp: what was recorded, and what could be next time.
void check_steps(const HealthInput& in, HealthItems& out);
void check_idle_steps(const HealthInput& in, HealthItems& out);
void check_device_metadata(const HealthInput& in, HealthItems& out);
void check_rank_metadata(const HealthInput& in, HealthItems& out);
void check_shapes(const HealthInput& in, HealthItems& out);
void check_stack(const HealthInput& in, HealthItems& out);
void check_memory(const HealthInput& in, HealthItems& out);

}  // namespace skyline
