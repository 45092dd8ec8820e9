// One code point at a time out of bytes that claim to be UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace skyline {

struct CodePoint {
  char32_t value;
  size_t bytes;  // how many bytes it took, at least 1
  bool valid;    // false: `value` is the one byte that begins no code point
};

// Decodes what stands at `at`, which must be inside the text. Overlong forms and surrogates are invalid.
CodePoint decode_utf8(std::string_view text, size_t at);

// At most so many bytes of the text, not cut within a code point.
std::string_view prefix_utf8(std::string_view text, size_t most_bytes);

void append_utf8(std::string& text, char32_t value);

}  // namespace skyline
