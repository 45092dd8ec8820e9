// Tables that say more about a few slices: their rows are ordered by slice and found by it.
#pragma once

#include <algorithm>

#include "trace/tables.h"

namespace skyline {

// The row about the slice; kNoRow if there is none.
template <typename Table>
uint32_t row_about(const Table& table, SliceId slice) {
  const SliceId* found = std::lower_bound(table.slice.begin(), table.slice.end(), slice);
  return found != table.slice.end() && *found == slice ? static_cast<uint32_t>(found - table.slice.begin())
                                                       : kNoRow;
}

}  // namespace skyline
