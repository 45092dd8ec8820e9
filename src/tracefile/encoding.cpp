#include "tracefile/encoding.h"

#include <algorithm>
#include <cstring>

#include "tracefile/unaligned.h"

namespace skyline::tracefile {
namespace {

template <typename Word>
void store(char* at, Word word) {
  std::memcpy(at, &word, sizeof(Word));
}

template <typename Word>
void apply_delta(const char* from, size_t count, char* to) {
  Word last = 0;
  for (size_t i = 0; i < count; ++i) {
    const Word value = load<Word>(from + i * sizeof(Word));
    store(to + i * sizeof(Word), static_cast<Word>(value - last));
    last = value;
  }
}

template <typename Word>
void undo_delta(char* values, size_t count) {
  Word sum = 0;
  for (size_t i = 0; i < count; ++i) {
    sum = static_cast<Word>(sum + load<Word>(values + i * sizeof(Word)));
    store(values + i * sizeof(Word), sum);
  }
}

// Bytes of eight words, seen as a square: rows become columns. Halves of the square change places,
// then halves of these.
void transpose(uint64_t (&rows)[8]) {
  const auto swap = [&](int a, int b, int shift, uint64_t low) {
    const uint64_t different = ((rows[a] >> shift) ^ rows[b]) & low;
    rows[a] ^= different << shift;
    rows[b] ^= different;
  };
  for (int i = 0; i < 4; ++i) swap(i, i + 4, 32, 0x00000000ffffffff);
  for (const int i : {0, 1, 4, 5}) swap(i, i + 2, 16, 0x0000ffff0000ffff);
  for (const int i : {0, 2, 4, 6}) swap(i, i + 1, 8, 0x00ff00ff00ff00ff);
}

}  // namespace

void apply_delta(const void* from, size_t count, size_t element_size, void* to) {
  const char* in = static_cast<const char*>(from);
  char* out = static_cast<char*>(to);
  switch (element_size) {
    case 1:
      return apply_delta<uint8_t>(in, count, out);
    case 2:
      return apply_delta<uint16_t>(in, count, out);
    case 4:
      return apply_delta<uint32_t>(in, count, out);
    default:
      return apply_delta<uint64_t>(in, count, out);
  }
}

void undo_delta(void* values, size_t count, size_t element_size) {
  char* at = static_cast<char*>(values);
  switch (element_size) {
    case 1:
      return undo_delta<uint8_t>(at, count);
    case 2:
      return undo_delta<uint16_t>(at, count);
    case 4:
      return undo_delta<uint32_t>(at, count);
    default:
      return undo_delta<uint64_t>(at, count);
  }
}

void apply_split(const void* from, size_t count, size_t element_size, void* to) {
  const char* in = static_cast<const char*>(from);
  char* out = static_cast<char*>(to);
  size_t i = 0;
  for (; element_size == 8 && i + 8 <= count; i += 8) {
    uint64_t square[8];
    std::memcpy(square, in + i * 8, 64);
    transpose(square);
    for (size_t byte = 0; byte < 8; ++byte) store(out + byte * count + i, square[byte]);
  }
  for (; i < count; ++i) {
    for (size_t byte = 0; byte < element_size; ++byte) out[byte * count + i] = in[i * element_size + byte];
  }
}

void undo_split(const void* from, size_t count, size_t element_size, void* to) {
  const char* in = static_cast<const char*>(from);
  char* out = static_cast<char*>(to);
  size_t i = 0;
  for (; element_size == 8 && i + 8 <= count; i += 8) {
    uint64_t square[8];
    for (size_t byte = 0; byte < 8; ++byte) square[byte] = load<uint64_t>(in + byte * count + i);
    transpose(square);
    std::memcpy(out + i * 8, square, 64);
  }
  for (; i < count; ++i) {
    for (size_t byte = 0; byte < element_size; ++byte) out[i * element_size + byte] = in[byte * count + i];
  }
}

}  // namespace skyline::tracefile
