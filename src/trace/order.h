#pragma once

#include "trace/trace.h"

namespace skyline {

// Sorts the slices of a draft by (track, start, longer first, outer category first, external id,
// file order), brings the rows of the other tables into the same order, and fills in the tracks'
// slice ranges, the trace's extent and the clock resolution.
void order_slices(Trace& draft, unsigned threads);

}  // namespace skyline
