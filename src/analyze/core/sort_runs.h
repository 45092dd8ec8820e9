// Sorting of lists that come track by track, each in order: few long runs, which are merged two by two.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace skyline::analyze {

// By start_ns; stable.
template <typename T>
void sort_runs(std::vector<T>& list) {
  const auto before = [](const T& a, const T& b) { return a.start_ns < b.start_ns; };
  using Place = typename std::vector<T>::iterator;
  std::vector<Place> ends;  // of the runs
  for (Place at = list.begin(); at != list.end(); ends.push_back(at)) {
    at = std::is_sorted_until(at, list.end(), before);
  }
  while (ends.size() > 1) {
    std::vector<Place> merged;
    Place begin = list.begin();
    for (size_t i = 0; i + 1 < ends.size(); i += 2) {
      std::inplace_merge(begin, ends[i], ends[i + 1], before);
      begin = ends[i + 1];
      merged.push_back(begin);
    }
    if (ends.size() % 2 == 1) merged.push_back(ends.back());
    ends = std::move(merged);
  }
}

}  // namespace skyline::analyze
