// Encoding::kDelta. Elements are whole numbers of 1, 2, 4 or 8 bytes, signed or not: differences are
// taken modulo 2^bits, so both directions are exact for every value.
//
//   values   100 103 103 101          encoded   100 3 0 -2
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace skyline::tracefile {

// `Word` is the unsigned type of the elements' size. Pointers need not be aligned.
template <typename Word>
void delta_encode(const void* from, size_t count, void* to) {
  const char* in = static_cast<const char*>(from);
  char* out = static_cast<char*>(to);
  Word last = 0;
  for (size_t i = 0; i < count; ++i) {
    Word value;
    std::memcpy(&value, in + i * sizeof(Word), sizeof(Word));
    const auto difference = static_cast<Word>(value - last);
    std::memcpy(out + i * sizeof(Word), &difference, sizeof(Word));
    last = value;
  }
}

template <typename Word>
void delta_decode(void* values, size_t count) {
  char* at = static_cast<char*>(values);
  Word sum = 0;
  for (size_t i = 0; i < count; ++i, at += sizeof(Word)) {
    Word difference;
    std::memcpy(&difference, at, sizeof(Word));
    sum = static_cast<Word>(sum + difference);
    std::memcpy(at, &sum, sizeof(Word));
  }
}

inline void delta_encode(const void* from, size_t count, size_t element_size, void* to) {
  switch (element_size) {
    case 1:
      return delta_encode<uint8_t>(from, count, to);
    case 2:
      return delta_encode<uint16_t>(from, count, to);
    case 4:
      return delta_encode<uint32_t>(from, count, to);
    default:
      return delta_encode<uint64_t>(from, count, to);
  }
}

inline void delta_decode(void* values, size_t count, size_t element_size) {
  switch (element_size) {
    case 1:
      return delta_decode<uint8_t>(values, count);
    case 2:
      return delta_decode<uint16_t>(values, count);
    case 4:
      return delta_decode<uint32_t>(values, count);
    default:
      return delta_decode<uint64_t>(values, count);
  }
}

}  // namespace skyline::tracefile
