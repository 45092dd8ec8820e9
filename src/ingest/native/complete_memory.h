// A recorder on the hot path notes where a block was released, and nothing else: how large it was, and what
// all blocks together are, is found here.
#pragma once

#include "base/address_map.h"
#include "trace/tables.h"

namespace skyline::ingest::native {

// Sizes by address.
using BlockSizes = AddressMap<int64_t>;

// Fills in sizes of releases and totals where they are not said. A block that is allocated where another one
// lives has replaced it. Releases of blocks that nobody has seen to come are taken out. `alive`: when the
// recording began.
void complete_memory(BlockSizes alive, MemoryTable& memory);

}  // namespace skyline::ingest::native
