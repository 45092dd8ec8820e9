// Walks the members of one JSON object: for the rare args that are looked at a second time.
#pragma once

#include <string_view>

#include "ingest/kineto_json/scan.h"

namespace skyline::kineto_json {

// Calls `visit(key, value)` for each member, with the texts as written (strings with their quotes,
// keys without). False when the object is malformed; the text must be padded (scan.h).
template <typename Visit>
bool for_each_member(std::string_view object, Visit visit) {
  const char* p = object.data();
  const char* const end = p + object.size();
  if (p == end || *p != '{') return false;
  p = skip_space(p + 1);
  if (p < end && *p == '}') return true;
  while (p < end && *p == '"') {
    const char* key = p + 1;
    const char* key_end = find_string_end(key, end);
    if (key_end >= end) return false;
    p = skip_space(key_end + 1);
    if (p >= end || *p != ':') return false;
    p = skip_space(p + 1);
    const char* value_end = p < end ? skip_value(p, end) : nullptr;
    if (value_end == nullptr) return false;
    visit(std::string_view(key, static_cast<size_t>(key_end - key)),
          std::string_view(p, static_cast<size_t>(value_end - p)));
    p = skip_space(value_end);
    if (p < end && *p == '}') return true;
    if (p >= end || *p != ',') return false;
    p = skip_space(p + 1);
  }
  return false;
}

}  // namespace skyline::kineto_json
