#pragma once

#include "trace/trace.h"

namespace skyline {

// Finds the training steps: ProfilerStep ranges on the host; without them, the stretches that end
// with an optimizer's step. Device-side copies of the ranges do not count.
void find_steps(Trace& draft);

}  // namespace skyline
