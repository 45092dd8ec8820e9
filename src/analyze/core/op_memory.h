// Whose memory is it? An allocation or release belongs to the innermost call that is open at its moment on
// its thread; a call's first and last nanosecond are its own, as old clocks tick in microseconds.
#pragma once

#include <span>
#include <vector>

#include "trace/trace.h"

namespace skyline::analyze {

// Per row of Trace::memory the innermost of `ops` (rows of Trace::ops, increasing) around it; kNoRow where
// there is none.
std::vector<uint32_t> ops_around_memory(const Trace& trace, std::span<const uint32_t> ops);

// Memory of the host: c10's CPU, MKLDNN and IDEEP, or a device that the file does not name.
bool is_host_memory(int32_t device_type);

}  // namespace skyline::analyze
