#pragma once

#include "trace/trace.h"

namespace skyline {

// Gives every slice its lane, depth and parent. The slices must be in order (order_slices).
void nest_slices(Trace& draft, unsigned threads);

}  // namespace skyline
