#include "cli/terminal/printable.h"

#include <fmt/format.h>

#include "base/check.h"
#include "base/code_ranges.h"
#include "base/utf8.h"

namespace skyline::cli {
namespace {

// Marks drawn over the character before them. Only the scripts met in names; others count as one cell.
constexpr CodeRange kCombining[] = {
    {0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x0610, 0x061a}, {0x064b, 0x065f},
    {0x0e34, 0x0e3a}, {0x0e47, 0x0e4e}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x20d0, 0x20ff},
    {0x302a, 0x302d}, {0x3099, 0x309a}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xe0100, 0xe01ef},
};

// East Asian wide and fullwidth characters, and emoji.
constexpr CodeRange kWide[] = {
    {0x1100, 0x115f},   {0x231a, 0x231b},   {0x23e9, 0x23ec},   {0x25fd, 0x25fe},   {0x2614, 0x2615},
    {0x2648, 0x2653},   {0x26a1, 0x26a1},   {0x2705, 0x2705},   {0x274c, 0x274c},   {0x2753, 0x2755},
    {0x2b1b, 0x2b1c},   {0x2b50, 0x2b50},   {0x2e80, 0x303e},   {0x3041, 0x33ff},   {0x3400, 0x4dbf},
    {0x4e00, 0x9fff},   {0xa000, 0xa4cf},   {0xa960, 0xa97f},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},
    {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff},
    {0x1f900, 0x1f9ff}, {0x1fa70, 0x1faff}, {0x20000, 0x3fffd},
};

size_t cells(char32_t value) {
  if (value < 0x300) return 1;
  if (contains(kCombining, value)) return 0;
  return contains(kWide, value) ? 2 : 1;
}

// The bytes of the longest beginning that fits into `width` cells.
size_t prefix_bytes(std::string_view text, size_t width) {
  size_t at = 0;
  size_t used = 0;
  while (at < text.size()) {
    const CodePoint point = decode_utf8(text, at);
    const size_t next = used + cells(point.value);
    if (next > width) break;
    used = next;
    at += point.bytes;
  }
  return at;
}

// Where the longest ending that fits into `width` cells begins.
size_t suffix_begin(std::string_view text, size_t width) {
  size_t at = 0;
  size_t rest = display_width(text);
  while (at < text.size() && rest > width) {
    const CodePoint point = decode_utf8(text, at);
    rest -= cells(point.value);
    at += point.bytes;
  }
  // A mark without its character would land on the dots.
  while (at < text.size() && cells(decode_utf8(text, at).value) == 0) at += decode_utf8(text, at).bytes;
  return at;
}

// The last space up to and including `limit` where a line may end: not after a digit, because a number
// and its unit belong together.
size_t last_break(std::string_view text, size_t limit) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  size_t at = text.rfind(' ', limit);
  while (at != std::string_view::npos && at > 0 && is_digit(text[at - 1])) at = text.rfind(' ', at - 1);
  return at == 0 ? std::string_view::npos : at;
}

}  // namespace

size_t display_width(std::string_view text) {
  size_t width = 0;
  for (size_t at = 0; at < text.size();) {
    const CodePoint point = decode_utf8(text, at);
    width += cells(point.value);
    at += point.bytes;
  }
  return width;
}

std::string cut_middle(std::string_view text, size_t width) {
  if (display_width(text) <= width) return std::string(text);
  if (width == 0) return "";
  const size_t kept = width - 1;
  const size_t front = (kept + 1) / 2;
  return fmt::format("{}…{}", text.substr(0, prefix_bytes(text, front)),
                     text.substr(suffix_begin(text, kept - front)));
}

std::vector<std::string> wrap(std::string_view text, size_t width) {
  CHECK(width > 1);
  std::vector<std::string> lines;
  while (display_width(text) > width) {
    const size_t fitting = prefix_bytes(text, width);
    const size_t space = last_break(text, fitting);
    const bool at_space = space != std::string_view::npos;
    lines.emplace_back(text.substr(0, at_space ? space : fitting));
    text.remove_prefix(at_space ? space + 1 : fitting);
  }
  lines.emplace_back(text);
  return lines;
}

std::string pad_right(std::string_view text, size_t width) {
  const size_t used = display_width(text);
  return std::string(text) + std::string(used < width ? width - used : 0, ' ');
}

std::string pad_left(std::string_view text, size_t width) {
  const size_t used = display_width(text);
  return std::string(used < width ? width - used : 0, ' ') + std::string(text);
}

}  // namespace skyline::cli
