// An event as pages receive it.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "serve/messages/protocol.h"

namespace skyline::serve {

// An event, with its frame.
template <typename Message>
std::string event_text(std::string_view name, const Message& message) {
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kInline);
  json.field("event", name);
  json.key("data");
  protocol::write(json, message);
  json.end_object();
  return std::move(json).finish();
}

}  // namespace skyline::serve
