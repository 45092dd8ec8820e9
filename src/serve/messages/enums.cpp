#include "serve/messages/enums.h"

#include "base/check.h"

namespace skyline::serve {

protocol::Unit to_message(analyze::Unit unit) {
  switch (unit) {
    case analyze::Unit::kNanoseconds:
      return protocol::Unit::kNs;
    case analyze::Unit::kBytes:
      return protocol::Unit::kBytes;
    case analyze::Unit::kCount:
      return protocol::Unit::kCount;
    case analyze::Unit::kNumber:
      return protocol::Unit::kNumber;
    case analyze::Unit::kShare:
      return protocol::Unit::kShare;
    case analyze::Unit::kPerSecond:
      return protocol::Unit::kPerSecond;
    case analyze::Unit::kBytesPerSecond:
      return protocol::Unit::kBytesPerSecond;
    case analyze::Unit::kText:
      return protocol::Unit::kText;
  }
  CHECK(false);
}

protocol::Content to_message(analyze::TraceContent content) {
  switch (content) {
    case analyze::TraceContent::kEvents:
      return protocol::Content::kEvents;
    case analyze::TraceContent::kSteps:
      return protocol::Content::kSteps;
    case analyze::TraceContent::kDevice:
      return protocol::Content::kDevice;
    case analyze::TraceContent::kStacks:
      return protocol::Content::kStacks;
    case analyze::TraceContent::kMemory:
      return protocol::Content::kMemory;
  }
  CHECK(false);
}

protocol::WaitsFor to_message(analyze::WaitsFor waits_for) {
  switch (waits_for) {
    case analyze::WaitsFor::kInput:
      return protocol::WaitsFor::kInput;
    case analyze::WaitsFor::kHost:
      return protocol::WaitsFor::kHost;
    case analyze::WaitsFor::kDevice:
      return protocol::WaitsFor::kDevice;
    case analyze::WaitsFor::kCommunication:
      return protocol::WaitsFor::kCommunication;
    case analyze::WaitsFor::kUnknown:
      return protocol::WaitsFor::kUnknown;
  }
  CHECK(false);
}

protocol::HealthLevel to_message(analyze::HealthLevel level) {
  switch (level) {
    case analyze::HealthLevel::kFine:
      return protocol::HealthLevel::kFine;
    case analyze::HealthLevel::kNote:
      return protocol::HealthLevel::kNote;
    case analyze::HealthLevel::kWrong:
      return protocol::HealthLevel::kWrong;
  }
  CHECK(false);
}

protocol::TrackKind to_message(analyze::TrackKind kind) {
  switch (kind) {
    case analyze::TrackKind::kThread:
      return protocol::TrackKind::kThread;
    case analyze::TrackKind::kStream:
      return protocol::TrackKind::kStream;
    case analyze::TrackKind::kOther:
      return protocol::TrackKind::kOther;
  }
  CHECK(false);
}

protocol::FlowKind to_message(analyze::FlowKind kind) {
  switch (kind) {
    case analyze::FlowKind::kOp:
      return protocol::FlowKind::kOp;
    case analyze::FlowKind::kLaunch:
      return protocol::FlowKind::kLaunch;
    case analyze::FlowKind::kActivity:
      return protocol::FlowKind::kActivity;
    case analyze::FlowKind::kForward:
      return protocol::FlowKind::kForward;
    case analyze::FlowKind::kBackward:
      return protocol::FlowKind::kBackward;
  }
  CHECK(false);
}

protocol::SessionPhase to_message(session::SessionState state) {
  switch (state) {
    case session::SessionState::kStarting:
      return protocol::SessionPhase::kStarting;
    case session::SessionState::kProfiling:
      return protocol::SessionPhase::kProfiling;
    case session::SessionState::kIdle:
      return protocol::SessionPhase::kIdle;
  }
  CHECK(false);
}

protocol::TroubleKind to_message(session::Trouble::Kind kind) {
  switch (kind) {
    case session::Trouble::Kind::kUserCode:
      return protocol::TroubleKind::kUserCode;
    case session::Trouble::Kind::kEnded:
      return protocol::TroubleKind::kEnded;
    case session::Trouble::Kind::kStuck:
      return protocol::TroubleKind::kStuck;
    case session::Trouble::Kind::kStalled:
      return protocol::TroubleKind::kStalled;
    case session::Trouble::Kind::kInterrupted:
      return protocol::TroubleKind::kInterrupted;
    case session::Trouble::Kind::kOurs:
      return protocol::TroubleKind::kOurs;
  }
  CHECK(false);
}

analyze::FlameBy from_message(protocol::FlameBy by) {
  switch (by) {
    case protocol::FlameBy::kStack:
      return analyze::FlameBy::kStack;
    case protocol::FlameBy::kModule:
      return analyze::FlameBy::kModule;
  }
  CHECK(false);
}

analyze::FlameTime from_message(protocol::FlameTime time) {
  switch (time) {
    case protocol::FlameTime::kHost:
      return analyze::FlameTime::kHost;
    case protocol::FlameTime::kDevice:
      return analyze::FlameTime::kDevice;
  }
  CHECK(false);
}

}  // namespace skyline::serve
