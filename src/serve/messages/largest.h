// What of a long list goes into an answer: the largest ones, in their old order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "trace/tables.h"

namespace skyline::serve {

class Largest {
 public:
  // At most this many. Of equals the first ones stay, so of a tree in preorder, whose nodes are never larger
  // than their parents, a tree stays.
  Largest(const std::vector<int64_t>& sizes, size_t most) : stays_before_(sizes.size() + 1, 0) {
    std::vector<uint32_t> order(sizes.size());
    std::iota(order.begin(), order.end(), 0);
    if (order.size() > most) {
      std::nth_element(
          order.begin(), order.begin() + static_cast<ptrdiff_t>(most), order.end(),
          [&](uint32_t a, uint32_t b) { return sizes[a] != sizes[b] ? sizes[a] > sizes[b] : a < b; });
      order.resize(most);
    }
    for (const uint32_t old : order) stays_before_[old + 1] = 1;
    std::partial_sum(stays_before_.begin(), stays_before_.end(), stays_before_.begin());
  }

  bool has(size_t old) const { return stays_before_[old] != stays_before_[old + 1]; }

  // The new index; -1: it is left out, or there was none.
  int64_t number(uint32_t old) const { return old == kNoRow || !has(old) ? -1 : int64_t{stays_before_[old]}; }
  // Of an index that stands behind the last one of a stretch.
  int64_t end(uint32_t old_end) const { return stays_before_[old_end]; }

 private:
  std::vector<uint32_t> stays_before_;
};

// Of a list in which each has a size, the largest, in their old order.
template <typename T>
std::vector<T> keep_largest(const std::vector<T>& list, const std::vector<int64_t>& sizes, size_t most) {
  const Largest stays(sizes, most);
  std::vector<T> largest;
  for (size_t i = 0; i < list.size(); ++i) {
    if (stays.has(i)) largest.push_back(list[i]);
  }
  return largest;
}

}  // namespace skyline::serve
