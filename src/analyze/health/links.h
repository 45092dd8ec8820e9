// Rules about whether host and device fit together.
#pragma once

#include "analyze/health/recording_rule.h"

namespace skyline::analyze {

void check_host_missing(const RecordingRuleInput& in, Findings& out);
void check_device_missing(const RecordingRuleInput& in, Findings& out);
void check_lost_kernels(const RecordingRuleInput& in, Findings& out);
void check_external_ids(const RecordingRuleInput& in, Findings& out);
void check_unlinked(const RecordingRuleInput& in, Findings& out);
void check_before_launch(const RecordingRuleInput& in, Findings& out);
void check_kernel_overlap(const RecordingRuleInput& in, Findings& out);

}  // namespace skyline::analyze
