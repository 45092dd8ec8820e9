#include "analyze/places/frame_tree.h"

#include <fmt/format.h>

#include <charconv>

#include "trace/autograd_ranges.h"

namespace skyline::analyze {
namespace {

// Programs that recurse more deeply are told of up to here; what is deeper belongs to the last frame.
constexpr uint32_t kMostFrames = 512;

// "train.py(12): main" as torch's profiler names frames.
FrameTree::Label label_of_text(std::string_view text) {
  FrameTree::Label label;
  label.text = text;
  const size_t open = text.rfind('('), close = text.find("): ", open);
  if (open == std::string_view::npos || close == std::string_view::npos) return label;
  int32_t line = 0;
  const std::from_chars_result read = std::from_chars(text.data() + open + 1, text.data() + close, line);
  if (read.ptr != text.data() + close || open == 0) return label;
  label.file = text.substr(0, open);
  label.function = text.substr(close + 3);
  label.line = line;
  return label;
}

FrameTree::Label label_of_frame(const Trace& trace, uint32_t frame) {
  FrameTree::Label label;
  label.file = trace.strings[trace.frames.file[frame]];
  label.function = trace.strings[trace.frames.function[frame]];
  label.line = trace.frames.line[frame];
  label.text = fmt::format("{}({}): {}", label.file, label.line, label.function);
  return label;
}

// Per row its forward operator. The engine's range around a backward operator may not know it; the operator
// inside does.
std::vector<uint32_t> forward_rows(const Trace& trace) {
  std::vector<uint32_t> forward(trace.ops.size(), kNoRow);
  for (uint32_t row = 0; row < forward.size(); ++row) {
    const SliceId its = trace.ops.forward[row];
    if (!its.exists()) continue;
    forward[row] = trace.slices.detail[its.value];
    const SliceId around = trace.slices.parent[trace.ops.slice[row].value];
    if (!around.exists() || trace.category(around) != Category::kCpuOp) continue;
    const std::string_view range = trace.slice_name(around);
    if (is_engine_range_of(range, trace.slice_name(trace.ops.slice[row])))
      forward[trace.slices.detail[around.value]] = forward[row];
  }
  return forward;
}

}  // namespace

FrameTree::FrameTree(const Trace& trace) : of_op_(trace.ops.size(), PlaceTree::kRoot) {
  if (trace.pythons.size() > 0) place_by_frames(trace);
  if (trace.stacks.size() > 0) place_by_stacks(trace);
}

void FrameTree::place_by_stacks(const Trace& trace) {
  std::vector<uint32_t> label_of_frame_id(trace.frames.size(), kNoRow);
  std::vector<uint32_t>& node_of_stack = of_stack_;
  node_of_stack.assign(trace.stacks.size(), PlaceTree::kRoot);
  for (uint32_t s = 0; s < node_of_stack.size(); ++s) {  // stacks around stand before
    const StackId around = trace.stacks.parent[s];
    const FrameId frame = trace.stacks.frame[s];
    const uint32_t parent = around.exists() ? node_of_stack[around.value] : PlaceTree::kRoot;
    node_of_stack[s] = parent;
    if (!frame.exists()) continue;
    uint32_t& label = label_of_frame_id[frame.value];
    if (label == kNoRow) label = label_with(label_of_frame(trace, frame.value));
    node_of_stack[s] = child(parent, label);
  }
  for (uint32_t row = 0; row < of_op_.size() && !trace.ops.stack.empty(); ++row) {
    if (const StackId stack = trace.ops.stack[row]; stack.exists()) of_op_[row] = node_of_stack[stack.value];
  }
}

void FrameTree::place_by_frames(const Trace& trace) {
  const std::vector<uint32_t> forward = forward_rows(trace);
  std::vector<uint32_t> label_of_name(trace.strings.size(), kNoRow);
  struct Around {
    uint32_t node = PlaceTree::kRoot;
    uint32_t backward = kNoRow;  // a row with a forward operator, and no frame between
  };
  std::vector<Around> around(trace.slices.size());
  for (uint32_t s = 0; s < around.size(); ++s) {  // parents stand before their children
    const SliceId parent = trace.slices.parent[s];
    if (parent.exists()) around[s] = around[parent.value];
    const uint32_t detail = trace.slices.detail[s];
    const bool has_row = is_op_or_range(trace.slices.category[s]) && detail != kNoRow;
    if (has_row && forward[detail] != kNoRow) around[s].backward = detail;
    if (trace.slices.category[s] != Category::kPython) continue;
    const StringId name = trace.slices.name[s];
    if (!name.exists()) continue;
    uint32_t& label = label_of_name[name.value];
    if (label == kNoRow) label = label_with(label_of_text(trace.strings[name]));
    around[s] = {child(around[s].node, label), kNoRow};
  }
  constexpr int kMostHops = 4;  // backward of backward of …
  for (uint32_t row = 0; row < of_op_.size(); ++row) {
    Around at = around[trace.ops.slice[row].value];
    of_op_[row] = at.node;
    for (int hop = 0; hop < kMostHops && at.backward != kNoRow; ++hop) {
      at = around[trace.ops.slice[forward[at.backward]].value];
      if (at.node != PlaceTree::kRoot) of_op_[row] = at.node;
    }
  }
}

uint32_t FrameTree::label_with(Label label) {
  const auto [entry, is_new] = label_numbers_.try_emplace(label.text, static_cast<uint32_t>(labels_.size()));
  if (is_new) labels_.push_back(std::move(label));
  return entry->second;
}

uint32_t FrameTree::child(uint32_t parent, uint32_t label) {
  if (tree_.depth(parent) >= kMostFrames) return parent;
  uint32_t& its = children_.at(parent, label);
  if (its == PlaceChildren::kNone) {
    its = tree_.add(parent);
    label_of_node_.push_back(label);
  }
  return its;
}

}  // namespace skyline::analyze
