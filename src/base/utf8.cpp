#include "base/utf8.h"

namespace skyline {

CodePoint decode_utf8(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char lead = byte(0);
  const CodePoint invalid{lead, 1, false};
  if (lead < 0x80) return {lead, 1, true};

  size_t bytes = 0;
  char32_t value = 0;
  char32_t smallest = 0;
  if ((lead & 0xe0) == 0xc0) {
    bytes = 2, value = lead & 0x1f, smallest = 0x80;
  } else if ((lead & 0xf0) == 0xe0) {
    bytes = 3, value = lead & 0x0f, smallest = 0x800;
  } else if ((lead & 0xf8) == 0xf0) {
    bytes = 4, value = lead & 0x07, smallest = 0x10000;
  } else {
    return invalid;
  }
  if (bytes > text.size() - at) return invalid;
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return invalid;
    value = value << 6 | (byte(i) & 0x3f);
  }
  const bool surrogate = value >= 0xd800 && value <= 0xdfff;
  if (value < smallest || value > 0x10ffff || surrogate) return invalid;
  return {value, bytes, true};
}

void append_utf8(std::string& text, char32_t value) {
  const auto push = [&](char32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (value < 0x80) {
    push(value);
  } else if (value < 0x800) {
    push(0xc0 | value >> 6);
    push(0x80 | (value & 0x3f));
  } else if (value < 0x10000) {
    push(0xe0 | value >> 12);
    push(0x80 | (value >> 6 & 0x3f));
    push(0x80 | (value & 0x3f));
  } else {
    push(0xf0 | value >> 18);
    push(0x80 | (value >> 12 & 0x3f));
    push(0x80 | (value >> 6 & 0x3f));
    push(0x80 | (value & 0x3f));
  }
}

std::string_view prefix_utf8(std::string_view text, size_t most_bytes) {
  if (text.size() <= most_bytes) return text;
  size_t size = most_bytes;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80) --size;
  return text.substr(0, size);
}

}  // namespace skyline
