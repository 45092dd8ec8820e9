// Rules about what the host does beside operators: waiting, collecting garbage, printing, debugging.
#pragma once

#include "analyze/core/analyzed_trace.h"
#include "analyze/core/finding.h"

namespace skyline::analyze {

void rule_synchronisation(const AnalyzedTrace& analyzed, Findings& out);
void rule_garbage_collection(const AnalyzedTrace& analyzed, Findings& out);
void rule_debug_modes(const AnalyzedTrace& analyzed, Findings& out);
void rule_logging(const AnalyzedTrace& analyzed, Findings& out);
void rule_slow_python(const AnalyzedTrace& analyzed, Findings& out);

}  // namespace skyline::analyze
