// Walks the members of one JSON object: for the rare args that are looked at a second time.
#pragma once

#include <string_view>

#include "ingest/kineto_json/scan.h"

namespace skyline::ingest::kineto_json {

// Calls `visit(key, value)` for each of `"key": value, …`, with the texts as written (strings with their
// quotes, keys without), up to the end or a closing brace. They stand in an object, of which more text
// follows; it must be padded (scan.h). False when they are malformed.
template <typename Visit>
bool for_each_member_of_stretch(std::string_view members, Visit visit) {
  const char* p = members.data();
  const char* const end = p + members.size();
  while (p < end && *p == '"') {
    const char* key = p + 1;
    const char* key_end = find_string_end(key, end);
    if (key_end >= end) return false;
    p = skip_space(key_end + 1);
    if (p >= end || *p != ':') return false;
    p = skip_space(p + 1);
    // One byte more: that a number ends is known by what stands behind it.
    const char* value_end = p < end ? skip_value(p, end + 1) : nullptr;
    if (value_end == nullptr) return false;
    visit(std::string_view(key, static_cast<size_t>(key_end - key)),
          std::string_view(p, static_cast<size_t>(value_end - p)));
    p = skip_space(value_end);
    if (p >= end || *p == '}') return true;
    if (*p != ',') return false;
    p = skip_space(p + 1);
  }
  return false;
}

// The same for a whole object.
template <typename Visit>
bool for_each_member(std::string_view object, Visit visit) {
  if (object.empty() || object[0] != '{') return false;
  const char* const end = object.data() + object.size();
  const char* p = skip_space(object.data() + 1);
  if (p < end && *p == '}') return true;
  if (p >= end) return false;
  return for_each_member_of_stretch({p, static_cast<size_t>(end - 1 - p)}, visit);
}

}  // namespace skyline::ingest::kineto_json
