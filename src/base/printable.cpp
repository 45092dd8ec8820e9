#include "base/printable.h"

#include "base/code_ranges.h"
#include "base/utf8.h"

namespace skyline {
namespace {

// Characters that show nothing themselves and may change how others are shown.
constexpr CodeRange kInvisible[] = {
    {0x00, 0x1f},        // control characters
    {0x7f, 0x9f},        // DEL and the second set, with one-character forms of ESC [
    {0xad, 0xad},        // soft hyphen
    {0x034f, 0x034f},    // grapheme joiner
    {0x061c, 0x061c},    // direction: Arabic letter mark
    {0x115f, 0x1160},    // Hangul fillers
    {0x17b4, 0x17b5},    // Khmer vowels without a shape
    {0x180b, 0x180f},    // Mongolian selectors and separator
    {0x200b, 0x200f},    // zero width, and direction: left-to-right and right-to-left marks
    {0x2028, 0x202e},    // line and paragraph separators; direction: embeddings and overrides
    {0x2060, 0x206f},    // word joiner, invisible operators; direction: isolates
    {0x3164, 0x3164},    // Hangul filler
    {0xfeff, 0xfeff},    // zero width no-break space
    {0xffa0, 0xffa0},    // halfwidth Hangul filler
    {0xfff0, 0xfffb},    // interlinear annotation
    {0x1bca0, 0x1bca3},  // shorthand format controls
    {0x1d173, 0x1d17a},  // musical format controls
    {0xe0000, 0xe0fff},  // tags
};

void append_hex(std::string& out, char32_t value, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += "0123456789abcdef"[value >> shift & 15];
}

void append_escape(std::string& out, const CodePoint& point) {
  if (point.valid && point.value == '\n') {
    out += "\\n";
  } else if (point.valid && point.value == '\t') {
    out += "\\t";
  } else if (point.valid && point.value == '\r') {
    out += "\\r";
  } else if (!point.valid || point.value < 0x80) {
    append_hex(out += "\\x", point.value, 2);
  } else if (point.value < 0x10000) {
    append_hex(out += "\\u", point.value, 4);
  } else {
    append_hex(out += "\\U", point.value, 8);
  }
}

}  // namespace

bool is_invisible(char32_t value) { return contains(kInvisible, value); }

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const CodePoint point = decode_utf8(text, at);
    if (!point.valid || is_invisible(point.value)) {
      append_escape(out, point);
    } else {
      out += text.substr(at, point.bytes);
    }
    at += point.bytes;
  }
  return out;
}

}  // namespace skyline
