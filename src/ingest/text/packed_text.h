// How packed text is read.
#pragma once

#include <cstddef>

namespace skyline::ingest {

inline constexpr size_t kPackedInputBytes = 256 * 1024;  // read at once
// Text is decoded in windows of this size, whatever is asked for: how much can be saved of damaged
// data must not depend on who reads it.
inline constexpr size_t kTextWindowBytes = 1 << 20;

}  // namespace skyline::ingest
