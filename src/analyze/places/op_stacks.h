// Where in the user's program operators were called. From the recorder's stacks, or from Python frames around
// the call on its thread; backward operators are where their forward operators are.
#pragma once

#include <string>
#include <vector>

#include "analyze/core/analyzed_trace.h"
#include "analyze/places/frame_tree.h"

namespace skyline::analyze {

// The different stacks, numbered in the order in which operators and ranges first have them.
class OpStacks {
 public:
  explicit OpStacks(const AnalyzedTrace& analyzed);

  uint32_t number(uint32_t op) const { return number_[op]; }  // per row of Trace::ops; kNoRow: not known
  size_t count() const { return nodes_.size(); }

  // "train.py(12): main;model.py(7): forward", the outermost frame first.
  std::string text(uint32_t number) const { return text_of_node(nodes_[number]); }
  uint32_t node(uint32_t number) const { return nodes_[number]; }  // of FrameTree
  std::string text_of_node(uint32_t node) const;

 private:
  const FrameTree& frames_;
  std::vector<uint32_t> number_;
  std::vector<uint32_t> nodes_;  // by number
};

}  // namespace skyline::analyze
