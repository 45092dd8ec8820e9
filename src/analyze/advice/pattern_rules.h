// Rules about operators that follow one another: what one operator, or none, could do.
#pragma once

#include "analyze/core/analyzed_trace.h"
#include "analyze/core/finding.h"

namespace skyline::analyze {

void rule_tensor_loop(const AnalyzedTrace& analyzed, Findings& out);
void rule_attention(const AnalyzedTrace& analyzed, Findings& out);
void rule_fusible_chain(const AnalyzedTrace& analyzed, Findings& out);
void rule_tiny_operators(const AnalyzedTrace& analyzed, Findings& out);
void rule_conv_bias(const AnalyzedTrace& analyzed, Findings& out);
void rule_per_parameter(const AnalyzedTrace& analyzed, Findings& out);
void rule_gradients_zeroed(const AnalyzedTrace& analyzed, Findings& out);
void rule_validation_graphs(const AnalyzedTrace& analyzed, Findings& out);

}  // namespace skyline::analyze
