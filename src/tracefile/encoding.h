// What is done to the elements of a column before zstd, and undone behind it. Exact for every value.
//
// Delta: the difference to the element before, modulo 2^bits, so it does not matter whether the
// numbers are signed or fall. For times and counters.
//
//   values   100 103 103 101          encoded   100 3 0 -2
//
// Split: all lowest bytes, then all second bytes, and so on. The upper bytes of times and sizes are
// nearly constant; apart from the noisy lower ones they vanish, and zstd runs three times as fast.
//
//   values   0x0102 0x0103 0x0104     encoded   02 03 04 01 01 01
#pragma once

#include <cstddef>
#include <cstdint>

#include "tracefile/schema.h"

namespace skyline::tracefile {

constexpr bool has_delta(Encoding encoding) { return (static_cast<unsigned>(encoding) & 1) != 0; }
constexpr bool has_split(Encoding encoding) { return (static_cast<unsigned>(encoding) & 2) != 0; }
constexpr bool is_known(Encoding encoding) { return static_cast<unsigned>(encoding) <= 3; }

// `element_size` is 1, 2, 4 or 8; pointers need not be aligned. `to` and `from` do not overlap, except
// that undo_delta works in place.
void apply_delta(const void* from, size_t count, size_t element_size, void* to);
void undo_delta(void* values, size_t count, size_t element_size);
void apply_split(const void* from, size_t count, size_t element_size, void* to);
void undo_split(const void* from, size_t count, size_t element_size, void* to);

}  // namespace skyline::tracefile
