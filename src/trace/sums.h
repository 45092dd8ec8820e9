// Whether sums over a trace stay within 64 bits.
#pragma once

#include "trace/trace.h"

namespace skyline {

// Counts what does not fit into the sum of all durations, and into that of all sizes. If all of it fits, no
// sum of a part can be too large. Order matters: that of the file.
void count_too_large_sums(Trace& draft);

}  // namespace skyline
