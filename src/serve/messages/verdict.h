// A verdict as a message.
#pragma once

#include "analyze/analyze.h"
#include "serve/messages/protocol.h"

namespace skyline {

protocol::Verdict to_message(const Verdict& verdict);

}  // namespace skyline
