// Memory in pages of 2 MB: fetching and clearing it takes a fraction of the time that 512 small pages take.
#pragma once

#include <cstddef>

namespace skyline {

// Below this a block is not worth the call, nor the memory that its last page wastes.
inline constexpr size_t kLargeBlock = size_t{8} << 20;

// Asks the system for large pages inside the block; it may refuse, and nothing is lost.
void prefer_large_pages(void* block, size_t bytes);

}  // namespace skyline
