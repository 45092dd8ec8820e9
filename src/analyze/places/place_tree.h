// A tree of places (modules or lines) that grows while operators are put into it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace skyline::analyze {

class PlaceTree {
 public:
  static constexpr uint32_t kRoot = 0;

  uint32_t add(uint32_t parent) {
    nodes_.push_back({parent, nodes_[parent].depth + 1});
    return static_cast<uint32_t>(nodes_.size() - 1);
  }

  uint32_t parent(uint32_t node) const { return nodes_[node].parent; }
  uint32_t depth(uint32_t node) const { return nodes_[node].depth; }
  size_t size() const { return nodes_.size(); }

  // The deepest node that holds both.
  uint32_t shared(uint32_t a, uint32_t b) const {
    while (depth(a) > depth(b)) a = parent(a);
    while (depth(b) > depth(a)) b = parent(b);
    while (a != b) {
      a = parent(a);
      b = parent(b);
    }
    return a;
  }
  bool holds(uint32_t outer, uint32_t inner) const { return shared(outer, inner) == outer; }

 private:
  struct Node {
    uint32_t parent;
    uint32_t depth;
  };
  std::vector<Node> nodes_ = {{kRoot, 0}};
};

}  // namespace skyline::analyze
