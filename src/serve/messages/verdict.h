// A verdict as a message.
#pragma once

#include "analyze/analyze.h"
#include "serve/messages/protocol.h"

namespace skyline::serve {

protocol::Verdict to_message(const analyze::Verdict& verdict);

}  // namespace skyline::serve
