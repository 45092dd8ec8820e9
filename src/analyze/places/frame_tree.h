// A tree of the Python frames that operators are called from: the recorder's stacks, or the Python frames
// around an operator on its thread. Calls through the same lines share their nodes.
//
//   (root)
//   └ train.py(20): <module>
//     └ train.py(10): step          aten::mse_loss is called here
//       └ model.py(5): forward      aten::conv2d is called here, and its backward operator belongs here
//
// While the backward pass runs, Python stands in the line that called backward(). So backward operators, and
// those inside them that have no frames of their own, are where their forward operator is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyze/places/place_children.h"
#include "analyze/places/place_tree.h"
#include "trace/trace.h"

namespace skyline::analyze {

class FrameTree {
 public:
  explicit FrameTree(const Trace& trace);

  const PlaceTree& tree() const { return tree_; }

  // Where the operator or range of this row of Trace::ops was called; kRoot: not known.
  uint32_t node_of_op(uint32_t row) const { return of_op_[row]; }

  // Where a stack of the recorder or of a sample ends; kRoot: not known.
  uint32_t node_of_stack(StackId stack) const {
    return stack.value < of_stack_.size() ? of_stack_[stack.value] : PlaceTree::kRoot;
  }

  // Nodes with equal frames have equal labels.
  uint32_t label_of(uint32_t node) const { return label_of_node_[node]; }
  size_t label_count() const { return labels_.size(); }

  struct Label {
    std::string text;                 // "train.py(12): main", or as the trace names the frame
    std::string_view file, function;  // lives as long as the trace; no file: not known
    int64_t line = 0;
  };
  const Label& label(uint32_t label) const { return labels_[label]; }

 private:
  void place_by_stacks(const Trace& trace);
  void place_by_frames(const Trace& trace);
  uint32_t label_with(Label label);
  uint32_t child(uint32_t parent, uint32_t label);

  PlaceTree tree_;
  std::vector<uint32_t> label_of_node_ = {0};  // the root has that of nothing
  std::vector<Label> labels_ = {{}};
  std::vector<uint32_t> of_op_;
  std::vector<uint32_t> of_stack_;
  std::unordered_map<std::string, uint32_t> label_numbers_;
  PlaceChildren children_;  // by parent and label
};

}  // namespace skyline::analyze
