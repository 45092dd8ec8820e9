// The args of one event, as names and texts.
#pragma once

#include <string>
#include <vector>

#include "serve/messages/protocol.h"
#include "trace/trace.h"

namespace skyline::serve {

// As the file has them; empty if it has none, or its text cannot be had any more. Long ones are cut.
std::vector<protocol::Fact> event_args(const Trace& trace, SliceId slice);

}  // namespace skyline::serve
