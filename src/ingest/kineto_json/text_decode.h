// From JSON's way of writing to the text that is meant.
#pragma once

#include <string>
#include <string_view>

namespace skyline::ingest::kineto_json {

// True when the bytes between the quotes are the text itself: printable ASCII without escapes.
bool is_plain(std::string_view raw);

// Resolves escapes and makes the result valid UTF-8: every invalid byte and every lone surrogate
// becomes U+FFFD. Control characters are kept, unknown escapes stay as written. False when
// anything had to be repaired.
bool decode_string(std::string_view raw, std::string& out);

// Text that is not JSON, as valid UTF-8: every invalid byte becomes U+FFFD. False when one had to.
bool repair_utf8(std::string_view raw, std::string& out);

// Whether the bytes between the quotes stand for `text`, which is plain.
bool stands_for(std::string_view raw, std::string_view text);

// JSON without the white space between its tokens, and as valid UTF-8.
void compact_json(std::string_view raw, std::string& out);

}  // namespace skyline::ingest::kineto_json
