#include "serve/messages/enums.h"

#include "base/check.h"

namespace skyline {

protocol::Unit to_message(Unit unit) {
  switch (unit) {
    case Unit::kNanoseconds:
      return protocol::Unit::kNs;
    case Unit::kBytes:
      return protocol::Unit::kBytes;
    case Unit::kCount:
      return protocol::Unit::kCount;
    case Unit::kNumber:
      return protocol::Unit::kNumber;
    case Unit::kShare:
      return protocol::Unit::kShare;
    case Unit::kPerSecond:
      return protocol::Unit::kPerSecond;
    case Unit::kBytesPerSecond:
      return protocol::Unit::kBytesPerSecond;
    case Unit::kText:
      return protocol::Unit::kText;
  }
  CHECK(false);
}

protocol::Content to_message(TraceContent content) {
  switch (content) {
    case TraceContent::kEvents:
      return protocol::Content::kEvents;
    case TraceContent::kSteps:
      return protocol::Content::kSteps;
    case TraceContent::kDevice:
      return protocol::Content::kDevice;
    case TraceContent::kStacks:
      return protocol::Content::kStacks;
    case TraceContent::kMemory:
      return protocol::Content::kMemory;
  }
  CHECK(false);
}

protocol::WaitsFor to_message(WaitsFor waits_for) {
  switch (waits_for) {
    case WaitsFor::kInput:
      return protocol::WaitsFor::kInput;
    case WaitsFor::kHost:
      return protocol::WaitsFor::kHost;
    case WaitsFor::kDevice:
      return protocol::WaitsFor::kDevice;
    case WaitsFor::kCommunication:
      return protocol::WaitsFor::kCommunication;
    case WaitsFor::kUnknown:
      return protocol::WaitsFor::kUnknown;
  }
  CHECK(false);
}

protocol::HealthLevel to_message(HealthLevel level) {
  switch (level) {
    case HealthLevel::kFine:
      return protocol::HealthLevel::kFine;
    case HealthLevel::kNote:
      return protocol::HealthLevel::kNote;
    case HealthLevel::kWrong:
      return protocol::HealthLevel::kWrong;
  }
  CHECK(false);
}

protocol::TrackKind to_message(TrackKind kind) {
  switch (kind) {
    case TrackKind::kThread:
      return protocol::TrackKind::kThread;
    case TrackKind::kStream:
      return protocol::TrackKind::kStream;
    case TrackKind::kOther:
      return protocol::TrackKind::kOther;
  }
  CHECK(false);
}

protocol::FlowKind to_message(FlowKind kind) {
  switch (kind) {
    case FlowKind::kOp:
      return protocol::FlowKind::kOp;
    case FlowKind::kLaunch:
      return protocol::FlowKind::kLaunch;
    case FlowKind::kActivity:
      return protocol::FlowKind::kActivity;
    case FlowKind::kForward:
      return protocol::FlowKind::kForward;
    case FlowKind::kBackward:
      return protocol::FlowKind::kBackward;
  }
  CHECK(false);
}

protocol::SessionPhase to_message(SessionState state) {
  switch (state) {
    case SessionState::kStarting:
      return protocol::SessionPhase::kStarting;
    case SessionState::kProfiling:
      return protocol::SessionPhase::kProfiling;
    case SessionState::kIdle:
      return protocol::SessionPhase::kIdle;
  }
  CHECK(false);
}

protocol::TroubleKind to_message(Trouble::Kind kind) {
  switch (kind) {
    case Trouble::Kind::kUserCode:
      return protocol::TroubleKind::kUserCode;
    case Trouble::Kind::kEnded:
      return protocol::TroubleKind::kEnded;
    case Trouble::Kind::kStuck:
      return protocol::TroubleKind::kStuck;
    case Trouble::Kind::kStalled:
      return protocol::TroubleKind::kStalled;
    case Trouble::Kind::kInterrupted:
      return protocol::TroubleKind::kInterrupted;
    case Trouble::Kind::kOurs:
      return protocol::TroubleKind::kOurs;
  }
  CHECK(false);
}

FlameBy from_message(protocol::FlameBy by) {
  switch (by) {
    case protocol::FlameBy::kStack:
      return FlameBy::kStack;
    case protocol::FlameBy::kModule:
      return FlameBy::kModule;
  }
  CHECK(false);
}

FlameTime from_message(protocol::FlameTime time) {
  switch (time) {
    case protocol::FlameTime::kHost:
      return FlameTime::kHost;
    case protocol::FlameTime::kDevice:
      return FlameTime::kDevice;
  }
  CHECK(false);
}

}  // namespace skyline
