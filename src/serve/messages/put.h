// Values of messages as JSON fields; for protocol.cpp.
#pragma once

#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "serve/messages/protocol.h"

namespace skyline::serve::protocol {

inline void write(JsonWriter& json, const analyze::Cell& cell) {
  std::visit(
      [&](const auto& value) {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>) {
          json.null();
        } else {
          json.value(value);
        }
      },
      cell);
}

template <typename T>
void put_value(JsonWriter& json, const std::vector<T>& list);

template <typename T>
void put_value(JsonWriter& json, const T& value) {
  if constexpr (std::is_enum_v<T>) {
    json.value(name_of(value));
  } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
    json.value(value);
  } else {
    write(json, value);
  }
}

template <typename T>
void put_value(JsonWriter& json, const std::vector<T>& list) {
  json.begin_array(JsonWriter::Layout::kInline);
  for (const auto& each : list) put_value(json, each);
  json.end_array();
}

template <typename T>
void put(JsonWriter& json, std::string_view name, const T& value) {
  json.key(name);
  put_value(json, value);
}

}  // namespace skyline::serve::protocol
