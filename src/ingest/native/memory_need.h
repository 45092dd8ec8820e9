// What reading a .skyline file takes of the memory, told from the headers of its chunks before anything is
// unpacked. Rows that no stored column can unpack to count for nothing: Chunk gives no memory for them
// either.
#pragma once

#include <cstdint>

#include "tracefile/tracefile.h"

namespace skyline::ingest::native {

uint64_t bytes_to_load_tables(const tracefile::Reader& file, unsigned threads);
uint64_t bytes_to_read_recording(const tracefile::Reader& file, unsigned threads);

}  // namespace skyline::ingest::native
