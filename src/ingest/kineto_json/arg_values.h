// Values of args as tables want them. What cannot be used leaves the target as it was.
#pragma once

#include <string_view>

#include "ingest/kineto_json/decimal.h"

namespace skyline::ingest::kineto_json {

inline std::string_view without_quotes(std::string_view value) {
  const bool is_quoted = value.size() >= 2 && value.front() == '"';
  return is_quoted ? value.substr(1, value.size() - 2) : value;
}

// A whole number, bare, in quotes or as a pointer.
inline void read_number(std::string_view value, int64_t& target) {
  const std::string_view token = without_quotes(value);
  const std::optional<Decimal> decimal = token.starts_with("0x") ? parse_hex(token) : parse_decimal(token, 0);
  if (decimal) target = decimal->as_int64().value_or(target);
}

}  // namespace skyline::ingest::kineto_json
