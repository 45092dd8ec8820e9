// Blocks that live at the peak, by the line that allocated them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyze/memory/at_peak.h"

namespace skyline::analyze {

// A line of the user's program and the blocks that were allocated there.
struct MemoryLine {
  std::string file = {};  // empty: it is not known where
  int64_t line = 0;
  std::string function = {};
  RoleBytes total = {};
  uint32_t blocks = 0;
};

// Per block the line of the user's program that allocated it; may be none.
std::vector<FrameId> lines_of_blocks(const Trace& trace, const MemoryAtPeak& peak);

// The most bytes first; of equals the one that allocated first.
std::vector<MemoryLine> memory_by_line(const Trace& trace, const MemoryAtPeak& peak);

// Per block its place in memory_by_line.
std::vector<uint32_t> line_numbers_of_blocks(const Trace& trace, const MemoryAtPeak& peak);

}  // namespace skyline::analyze
