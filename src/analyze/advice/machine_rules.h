// Rules about what the machine gives the training: processors, threads, pages.
#pragma once

#include "analyze/core/analyzed_trace.h"
#include "analyze/core/finding.h"

namespace skyline::analyze {

void rule_thread_count(const AnalyzedTrace& analyzed, Findings& out);
void rule_cpu_contention(const AnalyzedTrace& analyzed, Findings& out);
void rule_cpu_throttled(const AnalyzedTrace& analyzed, Findings& out);
void rule_recorded_page_faults(const AnalyzedTrace& analyzed, Findings& out);

}  // namespace skyline::analyze
