#include "analyze/op_stacks.h"

#include <fmt/format.h>

#include <unordered_map>

namespace skyline {
namespace {

// Programs that recurse more deeply keep the innermost frames.
constexpr size_t kMostFrames = 512;

using Frames = std::vector<std::string>;

std::string join_outermost_first(const Frames& frames) {
  std::string text;
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
    if (!text.empty()) text += ';';
    text += *frame;
  }
  return text;
}

std::string text_of(const Trace& trace, StackId stack) {
  Frames frames;
  for (StackId at = stack; at.exists() && frames.size() < kMostFrames; at = trace.stacks.parent[at.value]) {
    const FrameId frame = trace.stacks.frame[at.value];
    if (!frame.exists()) continue;
    frames.push_back(fmt::format("{}({}): {}", trace.strings[trace.frames.file[frame.value]],
                                 trace.frames.line[frame.value],
                                 trace.strings[trace.frames.function[frame.value]]));
  }
  return join_outermost_first(frames);
}

// Per slice the innermost Python frame around it.
std::vector<SliceId> python_frames_around(const Trace& trace) {
  std::vector<SliceId> around(trace.slices.size());
  // Parents stand before their children.
  for (uint32_t s = 0; s < around.size(); ++s) {
    const SliceId parent = trace.slices.parent[s];
    if (!parent.exists()) continue;
    around[s] = trace.category(parent) == Category::kPython ? parent : around[parent.value];
  }
  return around;
}

std::string text_of(const Trace& trace, const std::vector<SliceId>& around, SliceId innermost) {
  Frames frames;
  for (SliceId at = innermost; at.exists() && frames.size() < kMostFrames; at = around[at.value])
    frames.emplace_back(trace.slice_name(at));
  return join_outermost_first(frames);
}

}  // namespace

OpStacks::OpStacks(const Trace& trace) : number(trace.ops.size(), kNoRow) {
  std::unordered_map<std::string, uint32_t> numbers;
  const auto number_of = [&](std::string text) -> uint32_t {
    if (text.empty()) return kNoRow;
    const auto [entry, is_new] = numbers.try_emplace(std::move(text), static_cast<uint32_t>(texts.size()));
    if (is_new) texts.push_back(entry->first);
    return entry->second;
  };
  std::unordered_map<StackId, uint32_t, IdHash> of_stack;
  std::unordered_map<SliceId, uint32_t, IdHash> of_frame;
  const std::vector<SliceId> around = python_frames_around(trace);
  for (uint32_t op = 0; op < trace.ops.size(); ++op) {
    const StackId stack = trace.ops.stack_of(op);
    const SliceId frame = around[trace.ops.slice[op].value];
    if (stack.exists()) {
      const auto [entry, is_new] = of_stack.try_emplace(stack, kNoRow);
      if (is_new) entry->second = number_of(text_of(trace, stack));
      number[op] = entry->second;
    } else if (frame.exists()) {
      const auto [entry, is_new] = of_frame.try_emplace(frame, kNoRow);
      if (is_new) entry->second = number_of(text_of(trace, around, frame));
      number[op] = entry->second;
    }
  }
}

}  // namespace skyline
