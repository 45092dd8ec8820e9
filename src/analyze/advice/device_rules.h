// Rules about what devices wait for.
#pragma once

#include "analyze/core/analyzed_trace.h"
#include "analyze/core/finding.h"

namespace skyline::analyze {

void rule_launch_bound(const AnalyzedTrace& analyzed, Findings& out);
void rule_idle_gaps(const AnalyzedTrace& analyzed, Findings& out);
void rule_device_allocator(const AnalyzedTrace& analyzed, Findings& out);
void rule_communication(const AnalyzedTrace& analyzed, Findings& out);

}  // namespace skyline::analyze
