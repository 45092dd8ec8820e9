// XXH3-64, as xxhash 0.8 defines it: 15 GB/s, so that checking costs less than reading. zstd's own
// checksum would not do: it is known only after unpacking, and covers neither headers nor raw columns.
#pragma once

#include <cstddef>
#include <cstdint>

namespace skyline::tracefile {

uint64_t checksum(const void* bytes, size_t size);

}  // namespace skyline::tracefile
