// Rules about how far what was recorded stands for the training.
#pragma once

#include "analyze/core/analyzed_trace.h"
#include "analyze/core/finding.h"

namespace skyline::analyze {

void rule_warm_up(const AnalyzedTrace& analyzed, Findings& out);
void rule_recording_cost(const AnalyzedTrace& analyzed, Findings& out);
void rule_few_steps(const AnalyzedTrace& analyzed, Findings& out);

}  // namespace skyline::analyze
