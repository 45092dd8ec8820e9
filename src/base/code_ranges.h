// Sets of code points, as sorted ranges.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace skyline {

struct CodeRange {
  char32_t first, last;
};

template <size_t N>
bool contains(const CodeRange (&ranges)[N], char32_t value) {
  const CodeRange* end = std::end(ranges);
  const CodeRange* found =
      std::lower_bound(std::begin(ranges), end, value,
                       [](const CodeRange& range, char32_t wanted) { return range.last < wanted; });
  return found != end && found->first <= value;
}

}  // namespace skyline
