// Rules about memory that is kept, or needed for a moment.
#pragma once

#include "analyze/core/analyzed_trace.h"
#include "analyze/core/finding.h"

namespace skyline::analyze {

void rule_memory_growth(const AnalyzedTrace& analyzed, Findings& out);
void rule_temporary_peak(const AnalyzedTrace& analyzed, Findings& out);
void rule_device_full(const AnalyzedTrace& analyzed, Findings& out);

}  // namespace skyline::analyze
