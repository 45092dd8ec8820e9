// Which call launched an activity, and which operator made the call.
#pragma once

#include "trace/trace.h"

namespace skyline {

// Links activities to the calls that launched them (by correlation id), and calls to the innermost
// op around them on their thread (by nesting).
void link_launches(Trace& draft);

}  // namespace skyline
