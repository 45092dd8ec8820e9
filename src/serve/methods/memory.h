// What can be asked about memory.
#pragma once

#include "serve/methods/context.h"

namespace skyline::serve {

Result<protocol::MemoryCurve> answer_memory_curve(const Context& context,
                                                  const protocol::MemoryCurveParams& params);
Result<protocol::MemoryPeak> answer_memory_peak(const Context& context,
                                                const protocol::MemoryPeakParams& params);

}  // namespace skyline::serve
