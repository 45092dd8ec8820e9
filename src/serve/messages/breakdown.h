// Breakdowns as messages.
#pragma once

#include "analyze/analyze.h"
#include "serve/messages/protocol.h"

namespace skyline {

// Bounded: of trees with very many nodes the largest ones, of a node the operators that take longest, of
// links the ones with the most time.
protocol::Breakdown to_message(const Trace& trace, const Breakdown& breakdown);

}  // namespace skyline
