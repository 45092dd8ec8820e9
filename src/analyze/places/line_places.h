// The tree of the project's own lines that operators are put into: each line under the line that called it.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "analyze/places/place_tree.h"
#include "analyze/places/program_lines.h"
#include "analyze/places/user_files.h"
#include "trace/trace.h"

namespace skyline::analyze {

// Lines of Python itself, of installed packages and of torch are passed over: what they do belongs to the
// project's line that called them.
class LinePlaces {
 public:
  explicit LinePlaces(const Trace& trace);

  const PlaceTree& tree() const { return tree_; }

  uint32_t node(StackId stack);
  uint32_t known_node(StackId stack) const { return nodes_[stack.value]; }  // kNoRow: none has asked for it

  // The lines of `stack` inside `outside`, which is a stack around it or none, called from the place `from`.
  uint32_t node_within(StackId stack, StackId outside, uint32_t from);

  // For traces whose lines are known from Python frames only ("train.py(12): main").
  uint32_t node_of_frame(StringId frame, uint32_t around);

  struct Label {
    std::string_view file, function;
    int32_t line = 0;
  };
  Label label(uint32_t node) const { return labels_[node]; }

 private:
  uint32_t child(uint32_t parent, FrameId frame);

  const Trace& trace_;
  PlaceTree tree_;
  std::vector<Label> labels_ = {{}};
  UserFiles user_files_;
  std::vector<uint32_t> nodes_;  // by stack
  std::map<std::tuple<uint32_t, StringId, StringId, int32_t>, uint32_t> children_;
};

// From this place to the outermost.
ProgramLines lines_around(const LinePlaces& places, uint32_t node);

}  // namespace skyline::analyze
