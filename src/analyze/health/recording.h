// Rules about what was recorded, and what could be next time.
#pragma once

#include "analyze/health/recording_rule.h"

namespace skyline::analyze {

void check_steps(const RecordingRuleInput& in, Findings& out);
void check_idle_steps(const RecordingRuleInput& in, Findings& out);
void check_device_metadata(const RecordingRuleInput& in, Findings& out);
void check_rank_metadata(const RecordingRuleInput& in, Findings& out);
void check_shapes(const RecordingRuleInput& in, Findings& out);
void check_stack(const RecordingRuleInput& in, Findings& out);
void check_memory(const RecordingRuleInput& in, Findings& out);

}  // namespace skyline::analyze
