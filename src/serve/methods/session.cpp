#include "serve/methods/session.h"

#include "serve/served/live_session.h"

namespace skyline::serve {
namespace {

Result<LiveSession*> session_of(const Context& context) {
  if (context.session != nullptr) return context.session;
  return Error{"no session runs here, only recorded traces are shown; start one with skyline interactive"};
}

}  // namespace

Result<protocol::Edit> answer_edit(const Context& context, const protocol::EditParams& params) {
  SKYLINE_TRY(const LiveSession* session, session_of(context));
  return session->edit(params);
}

Result<protocol::Nothing> answer_apply(const Context& context, const protocol::ApplyParams& params) {
  SKYLINE_TRY(LiveSession * session, session_of(context));
  SKYLINE_RETURN_IF_ERROR(session->apply(params));
  return protocol::Nothing{};
}

Result<protocol::Nothing> answer_unsaved(const Context& context, const protocol::UnsavedParams& params) {
  SKYLINE_TRY(LiveSession * session, session_of(context));
  session->set_unsaved(params.is_unsaved);
  return protocol::Nothing{};
}

Result<protocol::Nothing> answer_profile_again(const Context& context, const protocol::Nothing&) {
  SKYLINE_TRY(LiveSession * session, session_of(context));
  session->profile_again();
  return protocol::Nothing{};
}

Result<protocol::Nothing> answer_cancel_profile(const Context& context, const protocol::Nothing&) {
  SKYLINE_TRY(LiveSession * session, session_of(context));
  session->cancel();
  return protocol::Nothing{};
}

Result<protocol::Output> answer_output(const Context& context, const protocol::Nothing&) {
  SKYLINE_TRY(const LiveSession* session, session_of(context));
  return session->output();
}

}  // namespace skyline::serve
