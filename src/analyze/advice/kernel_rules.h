// Rules about kernels: which units of the device compute them, in which layout, and whether they fill it.
#pragma once

#include "analyze/core/analyzed_trace.h"
#include "analyze/core/finding.h"

namespace skyline::analyze {

void rule_tensor_cores(const AnalyzedTrace& analyzed, Findings& out);
void rule_tf32(const AnalyzedTrace& analyzed, Findings& out);
void rule_layout(const AnalyzedTrace& analyzed, Findings& out);
void rule_small_grids(const AnalyzedTrace& analyzed, Findings& out);

}  // namespace skyline::analyze
