#include "serve/methods/session.h"

#include "serve/served/live_session.h"

namespace skyline::serve {
namespace {

Result<LiveSession*> session_of(const Desk& desk) {
  if (desk.session != nullptr) return desk.session;
  return Error{"no session runs here, only recorded traces are shown; start one with skyline interactive"};
}

}  // namespace

Result<protocol::Edit> answer_edit(const Desk& desk, const protocol::EditParams& params) {
  SKYLINE_TRY(const LiveSession* session, session_of(desk));
  return session->edit(params);
}

Result<protocol::Nothing> answer_apply(const Desk& desk, const protocol::ApplyParams& params) {
  SKYLINE_TRY(LiveSession * session, session_of(desk));
  SKYLINE_RETURN_IF_ERROR(session->apply(params));
  return protocol::Nothing{};
}

Result<protocol::Nothing> answer_unsaved(const Desk& desk, const protocol::UnsavedParams& params) {
  SKYLINE_TRY(LiveSession * session, session_of(desk));
  session->set_unsaved(params.is_unsaved);
  return protocol::Nothing{};
}

Result<protocol::Nothing> answer_profile_again(const Desk& desk, const protocol::Nothing&) {
  SKYLINE_TRY(LiveSession * session, session_of(desk));
  session->profile_again();
  return protocol::Nothing{};
}

Result<protocol::Nothing> answer_cancel_profile(const Desk& desk, const protocol::Nothing&) {
  SKYLINE_TRY(LiveSession * session, session_of(desk));
  session->cancel();
  return protocol::Nothing{};
}

Result<protocol::Output> answer_output(const Desk& desk, const protocol::Nothing&) {
  SKYLINE_TRY(const LiveSession* session, session_of(desk));
  return session->output();
}

}  // namespace skyline::serve
