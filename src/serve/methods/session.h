// What pages and editors may tell a live session.
#pragma once

#include "serve/methods/context.h"

namespace skyline::serve {

Result<protocol::Edit> answer_edit(const Desk& desk, const protocol::EditParams& params);
Result<protocol::Nothing> answer_apply(const Desk& desk, const protocol::ApplyParams& params);
Result<protocol::Nothing> answer_unsaved(const Desk& desk, const protocol::UnsavedParams& params);
Result<protocol::Nothing> answer_profile_again(const Desk& desk, const protocol::Nothing& params);
Result<protocol::Nothing> answer_cancel_profile(const Desk& desk, const protocol::Nothing& params);
Result<protocol::Output> answer_output(const Desk& desk, const protocol::Nothing& params);

}  // namespace skyline::serve
