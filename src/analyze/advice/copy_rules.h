// Rules about copies between host and device.
#pragma once

#include "analyze/core/analyzed_trace.h"
#include "analyze/core/finding.h"

namespace skyline::analyze {

void rule_pageable_copies(const AnalyzedTrace& analyzed, Findings& out);
void rule_blocking_copies(const AnalyzedTrace& analyzed, Findings& out);

}  // namespace skyline::analyze
