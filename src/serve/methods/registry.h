// What pages may ask: one line per method of protocol/skyline.protocol (kMethods in registry.cpp).
//
// Methods run on any thread, several at a time. They compute nothing themselves: they read the request, ask
// analyze or the session, and turn what comes back into messages.
#pragma once

#include <span>
#include <string_view>

#include "base/json_fields.h"
#include "base/result.h"
#include "serve/methods/context.h"

namespace skyline::serve {

struct Method {
  std::string_view name;
  Result<Reply> (*answer)(const Context& context, const JsonFields& params, const bool& is_wrong);
};

std::span<const Method> methods();

// A whole request as it came, {"id": 7, "method": "table", "params": {…}}; what goes back, frame and all.
Reply answer_request(const Context& context, std::string_view request);

}  // namespace skyline::serve
