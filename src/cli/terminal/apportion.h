// Shares of a whole in whole numbers that add up, for percents and for the cells of a bar.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace skyline::cli {

// Divides `whole` among the parts in proportion to their sizes. The results add up to `whole` exactly
// (largest remainder; earlier parts win ties), or are all 0 if no part is larger than 0.
std::vector<int> apportion(std::span<const int64_t> parts, int whole);

}  // namespace skyline::cli
