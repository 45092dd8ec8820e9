// Rules about how batches come to the training loop.
#pragma once

#include "analyze/core/analyzed_trace.h"
#include "analyze/core/finding.h"

namespace skyline::analyze {

void rule_input_workers(const AnalyzedTrace& analyzed,
                        Findings& out);  // the main process loads batches itself
void rule_input_wait(const AnalyzedTrace& analyzed,
                     Findings& out);  // workers are too slow, too few or too many
void rule_input_restart(const AnalyzedTrace& analyzed,
                        Findings& out);  // workers are started again each epoch
void rule_input_first(const AnalyzedTrace& analyzed,
                      Findings& out);  // one batch takes far longer than a step

}  // namespace skyline::analyze
