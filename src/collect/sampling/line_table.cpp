#include "collect/sampling/line_table.h"

#include <cstddef>

namespace skyline::collect {
namespace {

constexpr int kBytesPerUnit = 2;

// Six bits a byte, the lowest first; bit 6 says that more follow.
uint32_t read_varint(std::string_view table, size_t& at) {
  uint32_t value = 0;
  for (unsigned shift = 0; at < table.size() && shift < 32; shift += 6) {
    const auto byte = static_cast<uint8_t>(table[at++]);
    value |= static_cast<uint32_t>(byte & 63u) << shift;
    if ((byte & 64u) == 0) break;
  }
  return value;
}

// The lowest bit is the sign.
int32_t read_signed_varint(std::string_view table, size_t& at) {
  const uint32_t value = read_varint(table, at);
  const auto size = static_cast<int32_t>(value >> 1);
  return (value & 1u) != 0 ? -size : size;
}

}  // namespace

int32_t line_at(std::string_view table, int32_t first_line, int32_t offset) {
  int64_t line = first_line;
  int64_t end = 0;  // of what was read, in bytes of instructions
  for (size_t at = 0; at < table.size();) {
    const auto head = static_cast<uint8_t>(table[at++]);
    if ((head & 128u) == 0) return 0;
    const unsigned kind = head >> 3 & 15u;
    end += ((head & 7) + 1) * kBytesPerUnit;
    bool has_line = true;
    switch (kind) {
      case 15:  // no location
        has_line = false;
        break;
      case 14:  // long: line, end line, both columns
        line += read_signed_varint(table, at);
        for (int i = 0; i < 3; ++i) read_varint(table, at);
        break;
      case 13:  // no columns
        line += read_signed_varint(table, at);
        break;
      case 10:
      case 11:
      case 12:  // one line, up to two lines on
        line += kind - 10;
        at += 2;
        break;
      default:  // the same line, short
        at += 1;
    }
    if (offset < end) return has_line && line > 0 && line <= INT32_MAX ? static_cast<int32_t>(line) : 0;
  }
  return 0;
}

}  // namespace skyline::collect
