// What tells the bytes of one file from those of any other.
#pragma once

#include <string>

#include "base/result.h"
#include "ingest/text/byte_input.h"

namespace skyline::ingest {

// 32 hex digits: XXH3-128 of the XXH3-128 of every 4 MB. A gigabyte takes a tenth of a second on two
// threads. Fails if the file changes meanwhile.
Result<std::string> content_hash(const RandomBytes& bytes, uint64_t size, unsigned threads);

}  // namespace skyline::ingest
