// Sums by place, as the tree that a Breakdown shows.
#pragma once

#include <functional>
#include <map>
#include <tuple>
#include <vector>

#include "analyze/places/breakdown.h"
#include "analyze/places/place_tree.h"

namespace skyline::analyze {

class TreeSums {
 public:
  // `function` is OpPlaces::function.
  TreeSums(const PlaceTree& tree, const std::vector<uint32_t>& function)
      : tree_(tree), function_(function), own_(tree.size()), first_ns_(tree.size(), INT64_MAX) {}

  // `op` is the row of the operator whose use it is; kNoRow: none's.
  void add(uint32_t node, uint32_t op, Phase phase, const BreakdownTimes& times, int64_t when_ns);

  // Leaves out places in which nothing happened. `name` says what a place is called.
  BreakdownTree build(const Trace& trace, const std::function<void(uint32_t, BreakdownNode&)>& name) const;

 private:
  struct Use {
    uint32_t node;
    uint32_t op;
    Phase phase;
    auto operator<=>(const Use&) const = default;
  };

  std::vector<std::vector<uint32_t>> find_children() const;
  std::map<uint32_t, std::vector<OpUse>> group_uses(const Trace& trace) const;

  const PlaceTree& tree_;
  const std::vector<uint32_t>& function_;
  std::vector<BreakdownTimes> own_;
  std::vector<int64_t> first_ns_;
  std::map<Use, BreakdownTimes> uses_;
};

std::vector<LineTimes> sum_by_line(const BreakdownTree& lines);

}  // namespace skyline::analyze
