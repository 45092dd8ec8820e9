// What can be asked about where time goes.
#pragma once

#include "serve/methods/context.h"

namespace skyline::serve {

Result<protocol::Flame> answer_flame(const Context& context, const protocol::FlameParams& params);

}  // namespace skyline::serve
