// Rules about operators that could do the same work in less time.
#pragma once

#include "analyze/core/analyzed_trace.h"
#include "analyze/core/finding.h"

namespace skyline::analyze {

void rule_float64(const AnalyzedTrace& analyzed, Findings& out);
void rule_low_precision(const AnalyzedTrace& analyzed, Findings& out);
void rule_unaligned_matmul(const AnalyzedTrace& analyzed, Findings& out);
void rule_conversions(const AnalyzedTrace& analyzed, Findings& out);
void rule_recompute(const AnalyzedTrace& analyzed, Findings& out);
void rule_gather(const AnalyzedTrace& analyzed, Findings& out);
void rule_denormals(const AnalyzedTrace& analyzed, Findings& out);

}  // namespace skyline::analyze
