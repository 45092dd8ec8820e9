// What pages and editors may tell a live session.
#pragma once

#include "serve/methods/context.h"

namespace skyline::serve {

Result<protocol::Edit> answer_edit(const Context& context, const protocol::EditParams& params);
Result<protocol::Nothing> answer_apply(const Context& context, const protocol::ApplyParams& params);
Result<protocol::Nothing> answer_unsaved(const Context& context, const protocol::UnsavedParams& params);
Result<protocol::Nothing> answer_profile_again(const Context& context, const protocol::Nothing& params);
Result<protocol::Nothing> answer_cancel_profile(const Context& context, const protocol::Nothing& params);
Result<protocol::Output> answer_output(const Context& context, const protocol::Nothing& params);

}  // namespace skyline::serve
