#include "ingest/kineto_json/scan.h"

namespace skyline::ingest::kineto_json {
namespace {

// The same, byte by byte, for texts with escapes.
const char* skip_container_slowly(const char* p, const char* end) {
  int64_t depth = 0;
  while (p < end) {
    switch (*p) {
      case '[':
      case '{':
        ++depth;
        break;
      case ']':
      case '}':
        if (--depth == 0) return p + 1;
        break;
      case '"':
        p = find_string_end(p + 1, end);
        if (p >= end) return nullptr;
        break;
      default:
        break;
    }
    ++p;
  }
  return nullptr;
}

}  // namespace

// 64 bytes at a time: find the quotes, blot out what stands between them, then count brackets. Only
// closing brackets are visited one by one; a block whose closing brackets cannot reach depth zero
// is passed over whole. A backslash hands the rest to the slow loop.
const char* skip_container(const char* p, const char* end) {
  const char* const begin = p;
  int64_t depth = 0;
  uint64_t in_string = 0;  // all ones when the block before ended inside a string
  for (; p < end; p += 64) {
    const Block64 block(p);
    if (block.equal('\\') != 0) return skip_container_slowly(begin, end);
    const uint64_t inside = prefix_xor(block.equal('"')) ^ in_string;
    in_string = static_cast<uint64_t>(static_cast<int64_t>(inside) >> 63);
    const uint64_t opening = block.equal_but_for_bit5('[') & ~inside;
    uint64_t closing = block.equal_but_for_bit5(']') & ~inside;
    if (depth > std::popcount(closing)) {
      depth += std::popcount(opening) - std::popcount(closing);
      continue;
    }
    for (int64_t closed = 1; closing != 0; ++closed, closing &= closing - 1) {
      const uint64_t below = (closing & -closing) - 1;
      if (depth + std::popcount(opening & below) == closed) {
        const char* behind = p + std::countr_zero(closing) + 1;
        return behind <= end ? behind : nullptr;
      }
    }
    depth += std::popcount(opening) - std::popcount(block.equal_but_for_bit5(']') & ~inside);
  }
  return nullptr;
}

}  // namespace skyline::ingest::kineto_json
