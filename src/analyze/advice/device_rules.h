// Rules about devices: what they compute with, what they wait for, what is copied to them.
#pragma once

#include "analyze/core/analyzed_trace.h"
#include "analyze/core/finding.h"

namespace skyline::analyze {

void rule_tensor_cores(const AnalyzedTrace& analyzed, Findings& out);
void rule_tf32(const AnalyzedTrace& analyzed, Findings& out);
void rule_launch_bound(const AnalyzedTrace& analyzed, Findings& out);
void rule_idle_gaps(const AnalyzedTrace& analyzed, Findings& out);
void rule_device_allocator(const AnalyzedTrace& analyzed, Findings& out);
void rule_pageable_copies(const AnalyzedTrace& analyzed, Findings& out);
void rule_blocking_copies(const AnalyzedTrace& analyzed, Findings& out);
void rule_layout(const AnalyzedTrace& analyzed, Findings& out);
void rule_small_grids(const AnalyzedTrace& analyzed, Findings& out);
void rule_communication(const AnalyzedTrace& analyzed, Findings& out);

}  // namespace skyline::analyze
