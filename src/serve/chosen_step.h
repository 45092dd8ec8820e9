// The step that a request names.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "trace/trace.h"

namespace skyline {

// The last one with this number; null when none is named. A sentence if there is none.
Result<const Step*> chosen_step(const Trace& trace, std::optional<int64_t> number);

}  // namespace skyline
