// Health: would the figures be right? What findings about a recording mean for them.
#pragma once

#include <cstdint>

#include "analyze/core/finding.h"

namespace skyline::analyze {

enum class HealthLevel : uint8_t {
  kFine,
  kNote,   // what a reader of the figures should know, or could switch on next time
  kWrong,  // some figure would be wrong, or empty where the trace seems to promise one
};

HealthLevel level_of(const Finding& finding);

}  // namespace skyline::analyze
