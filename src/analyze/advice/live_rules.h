// Rules about what a live session has tried out.
#pragma once

#include "analyze/advice/live_evidence.h"
#include "analyze/core/finding.h"

namespace skyline {

// Freed memory goes back to the system, and the next iteration fetches it again page by page.
Finding rule_page_faults(const PageFaultTrial& trial);

// Another batch size would give more samples per second.
Finding rule_batch_size(const BatchTrial& trial);

}  // namespace skyline
