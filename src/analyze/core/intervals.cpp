#include "analyze/core/intervals.h"

#include <algorithm>
#include <utility>

#include "analyze/core/saturate.h"
#include "analyze/core/sort_runs.h"
#include "base/check.h"

namespace skyline::analyze {

IntervalSet IntervalSet::of(std::vector<Interval> intervals) {
  sort_runs(intervals);
  IntervalSet set;
  for (const Interval& interval : intervals) set.append(interval.start_ns, interval.end_ns);
  return set;
}

void IntervalSet::append(int64_t start_ns, int64_t end_ns) {
  if (start_ns >= end_ns) return;
  if (intervals_.empty() || start_ns > intervals_.back().end_ns) {
    intervals_.push_back({start_ns, end_ns});
    return;
  }
  CHECK(start_ns >= intervals_.back().start_ns);
  intervals_.back().end_ns = std::max(intervals_.back().end_ns, end_ns);
}

int64_t IntervalSet::total_ns() const {
  int64_t total = 0;
  for (const Interval& interval : intervals_) total = plus(total, minus(interval.end_ns, interval.start_ns));
  return total;
}

int64_t IntervalSet::total_within(int64_t start_ns, int64_t end_ns) const {
  int64_t total = 0;
  auto it = std::partition_point(intervals_.begin(), intervals_.end(),
                                 [&](const Interval& interval) { return interval.end_ns <= start_ns; });
  for (; it != intervals_.end() && it->start_ns < end_ns; ++it) {
    total = plus(total, minus(std::min(it->end_ns, end_ns), std::max(it->start_ns, start_ns)));
  }
  return total;
}

IntervalSet unite(const IntervalSet& a, const IntervalSet& b) {
  IntervalSet both;
  auto left = a.intervals().begin(), right = b.intervals().begin();
  const auto left_end = a.intervals().end(), right_end = b.intervals().end();
  while (left != left_end || right != right_end) {
    const bool take_left = right == right_end || (left != left_end && left->start_ns <= right->start_ns);
    const Interval& next = take_left ? *left++ : *right++;
    both.append(next.start_ns, next.end_ns);
  }
  return both;
}

IntervalSet intersect(const IntervalSet& a, const IntervalSet& b) {
  IntervalSet shared;
  auto left = a.intervals().begin(), right = b.intervals().begin();
  while (left != a.intervals().end() && right != b.intervals().end()) {
    shared.append(std::max(left->start_ns, right->start_ns), std::min(left->end_ns, right->end_ns));
    if (left->end_ns <= right->end_ns) {
      ++left;
    } else {
      ++right;
    }
  }
  return shared;
}

IntervalSet subtract(const IntervalSet& a, const IntervalSet& b) {
  IntervalSet rest;
  auto hole = b.intervals().begin();
  for (const Interval& interval : a.intervals()) {
    int64_t from = interval.start_ns;
    while (hole != b.intervals().end() && hole->end_ns <= from) ++hole;
    for (auto cut = hole; cut != b.intervals().end() && cut->start_ns < interval.end_ns; ++cut) {
      rest.append(from, cut->start_ns);
      from = cut->end_ns;
    }
    rest.append(from, interval.end_ns);
  }
  return rest;
}

}  // namespace skyline::analyze
