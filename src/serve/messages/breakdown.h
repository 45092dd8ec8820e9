// Breakdowns as messages.
#pragma once

#include "analyze/analyze.h"
#include "serve/messages/protocol.h"

namespace skyline::serve {

// Bounded: of trees with very many nodes the largest ones, of a node the operators that take longest, of
// links the ones with the most time.
protocol::Breakdown to_message(const Trace& trace, const analyze::Breakdown& breakdown);

}  // namespace skyline::serve
