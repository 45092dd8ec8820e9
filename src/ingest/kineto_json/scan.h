// The inner loops of the JSON reader: white space, strings, containers, numbers.
//
// All of them work on a text that is followed by at least kPadding readable zero bytes (or by more
// text), look at 16 or 64 bytes at a time, and stop at `end`. They know JSON's tokens, nothing of
// traces.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace skyline::ingest::kineto_json {

inline constexpr size_t kPadding = 64;

// Bit i of the mask stands for byte i of a block.
struct Block64 {
#if defined(__SSE2__)
  __m128i lanes[4];

  explicit Block64(const char* p) {
    for (int i = 0; i < 4; ++i) lanes[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p) + i);
  }
  uint64_t equal(char c) const {
    const __m128i wanted = _mm_set1_epi8(c);
    uint64_t mask = 0;
    for (int i = 3; i >= 0; --i) {
      mask = mask << 16 | static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(lanes[i], wanted)));
    }
    return mask;
  }
  // '[' and '{' differ in one bit only, as do ']' and '}'.
  uint64_t equal_but_for_bit5(char c) const {
    const __m128i wanted = _mm_set1_epi8(static_cast<char>(c | 0x20)), bit = _mm_set1_epi8(0x20);
    uint64_t mask = 0;
    for (int i = 3; i >= 0; --i) {
      const __m128i folded = _mm_or_si128(lanes[i], bit);
      mask = mask << 16 | static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(folded, wanted)));
    }
    return mask;
  }
#else
  const char* text;

  explicit Block64(const char* p) : text(p) {}
  uint64_t equal(char c) const {
    uint64_t mask = 0;
    for (int i = 0; i < 64; ++i) mask |= uint64_t{text[i] == c} << i;
    return mask;
  }
  uint64_t equal_but_for_bit5(char c) const { return equal(c) | equal(static_cast<char>(c ^ 0x20)); }
#endif
};

// Bit i of the result: how many bits 0..i of `bits` are set, modulo 2.
inline uint64_t prefix_xor(uint64_t bits) {
  for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

inline bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

inline const char* skip_space_until(const char* p, const char* end) {
  while (p < end && is_space(*p)) ++p;
  return p;
}

// First byte at or after p that is not white space; may be `end`, where the padding stops it.
inline const char* skip_space(const char* p) {
  // Kineto writes nothing, one blank, or a newline and a few blanks.
  if (static_cast<unsigned char>(*p) > ' ') return p;
  if (!is_space(*p)) return p;
  ++p;
  if (static_cast<unsigned char>(*p) > ' ') return p;
#if defined(__SSE2__)
  const __m128i blank = _mm_set1_epi8(' ');
  for (;;) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const auto blanks = static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, blank)));
    if (blanks != 0xffff) {
      p += std::countr_one(blanks);
      if (!is_space(*p)) return p;
      ++p;
      continue;
    }
    p += 16;
  }
#else
  while (is_space(*p)) ++p;
  return p;
#endif
}

// First '"' or '\' at or after p, or `end`.
inline const char* find_quote_or_backslash(const char* p, const char* end) {
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\');
  while (p < end) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i hit = _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash));
    const auto mask = static_cast<uint32_t>(_mm_movemask_epi8(hit));
    if (mask != 0) {
      p += std::countr_zero(mask);
      return p < end ? p : end;
    }
    p += 16;
  }
  return end;
#else
  while (p < end && *p != '"' && *p != '\\') ++p;
  return p;
#endif
}

// p stands behind the opening quote. The closing quote, or `end` when there is none.
inline const char* find_string_end(const char* p, const char* end) {
  for (;;) {
    p = find_quote_or_backslash(p, end);
    if (p >= end || *p == '"') return p;
    p += 2;
    if (p > end) return end;
  }
}

// p stands on '[' or '{'. The byte behind the matching bracket, or nullptr when `end` comes first.
// Brackets in strings do not count; '[' and '{' are not told apart.
const char* skip_container(const char* p, const char* end);

// The byte behind a number, true, false, null or another bare word.
inline const char* skip_bare(const char* p, const char* end) {
  while (p < end && *p != ',' && *p != '}' && *p != ']' && !is_space(*p)) ++p;
  return p;
}

// p stands on a value. The byte behind it, or nullptr when `end` comes first. A bare word that
// touches `end` counts as incomplete.
inline const char* skip_value(const char* p, const char* end) {
  if (*p == '"') {
    const char* close = find_string_end(p + 1, end);
    return close < end ? close + 1 : nullptr;
  }
  if (*p == '[' || *p == '{') return skip_container(p, end);
  p = skip_bare(p, end);
  return p < end ? p : nullptr;
}

}  // namespace skyline::ingest::kineto_json
