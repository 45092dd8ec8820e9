// Sets of time: how much of it is covered, shared, or left over.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace skyline::analyze {

// start_ns is inside, end_ns is not.
struct Interval {
  int64_t start_ns;
  int64_t end_ns;
  bool operator==(const Interval&) const = default;
};

// A set of moments, as sorted intervals that are not empty and neither overlap nor touch. So equal
// sets are equal lists, and every operation below is one pass.
class IntervalSet {
 public:
  IntervalSet() = default;

  // The union of intervals in any order.
  static IntervalSet of(std::vector<Interval> intervals);

  // Adds an interval that starts no earlier than the ones before. Empty ones leave no trace.
  void append(int64_t start_ns, int64_t end_ns);

  std::span<const Interval> intervals() const& { return intervals_; }
  std::span<const Interval> intervals() const&& = delete;  // would not outlive the set
  bool empty() const { return intervals_.empty(); }
  int64_t total_ns() const;

  // How much of [start_ns, end_ns) is in the set; takes time for the intervals inside only.
  int64_t total_within(int64_t start_ns, int64_t end_ns) const;

  bool operator==(const IntervalSet&) const = default;

 private:
  std::vector<Interval> intervals_;
};

IntervalSet unite(const IntervalSet& a, const IntervalSet& b);
IntervalSet intersect(const IntervalSet& a, const IntervalSet& b);
IntervalSet subtract(const IntervalSet& a, const IntervalSet& b);

}  // namespace skyline::analyze
