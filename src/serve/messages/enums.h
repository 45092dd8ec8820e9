// Words of the engine as words of the protocol, and back. A word that is new on either side does not compile
// until it is here.
#pragma once

#include "analyze/analyze.h"
#include "serve/messages/protocol.h"
#include "session/session.h"

namespace skyline {

protocol::Unit to_message(Unit unit);
protocol::Content to_message(TraceContent content);
protocol::WaitsFor to_message(WaitsFor waits_for);
protocol::HealthLevel to_message(HealthLevel level);
protocol::TrackKind to_message(TrackKind kind);
protocol::FlowKind to_message(FlowKind kind);
protocol::SessionPhase to_message(SessionState state);
protocol::TroubleKind to_message(Trouble::Kind kind);

FlameBy from_message(protocol::FlameBy by);
FlameTime from_message(protocol::FlameTime time);

}  // namespace skyline
