// Rules about what a live session has tried out. Each is silent about what was not.
#pragma once

#include "analyze/advice/live_evidence.h"
#include "analyze/core/finding.h"

namespace skyline::analyze {

// Freed memory goes back to the system, and the next iteration fetches it again page by page.
void rule_page_faults(const LiveEvidence& evidence, Findings& out);

// Another batch size would give more samples per second.
void rule_batch_size(const LiveEvidence& evidence, Findings& out);

}  // namespace skyline::analyze
