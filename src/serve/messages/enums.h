// Words of the engine as words of the protocol, and back. A word that is new on either side does not compile
// until it is here.
#pragma once

#include "analyze/analyze.h"
#include "serve/messages/protocol.h"
#include "session/session.h"

namespace skyline::serve {

protocol::Unit to_message(analyze::Unit unit);
protocol::Content to_message(analyze::TraceContent content);
protocol::WaitsFor to_message(analyze::WaitsFor waits_for);
protocol::HealthLevel to_message(analyze::HealthLevel level);
protocol::TrackKind to_message(analyze::TrackKind kind);
protocol::FlowKind to_message(analyze::FlowKind kind);
protocol::SessionPhase to_message(session::SessionState state);
protocol::TroubleKind to_message(session::Trouble::Kind kind);

analyze::FlameBy from_message(protocol::FlameBy by);
analyze::FlameTime from_message(protocol::FlameTime time);

}  // namespace skyline::serve
