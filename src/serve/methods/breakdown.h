// What can be asked about one step's time.
#pragma once

#include "serve/methods/context.h"

namespace skyline::serve {

Result<protocol::Breakdown> answer_breakdown(const Context& context, const protocol::BreakdownParams& params);

}  // namespace skyline::serve
