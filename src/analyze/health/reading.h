// Rules about what the reader met.
#pragma once

#include "analyze/health/recording_rule.h"

namespace skyline::analyze {

void check_losses(const RecordingRuleInput& in, Findings& out);
void check_zero_times(const RecordingRuleInput& in, Findings& out);
void check_clock_resolution(const RecordingRuleInput& in, Findings& out);
void check_base_time(const RecordingRuleInput& in, Findings& out);
void check_zero_durations(const RecordingRuleInput& in, Findings& out);
void check_slice_overlap(const RecordingRuleInput& in, Findings& out);

}  // namespace skyline::analyze
