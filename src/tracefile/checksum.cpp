#include "tracefile/checksum.h"

// All of it in this file, so that nothing more has to be found when the recorder is loaded.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace skyline::tracefile {

uint64_t checksum(const void* bytes, size_t size) { return XXH3_64bits(bytes, size); }

}  // namespace skyline::tracefile
