#include "analyze/places/line_places.h"

#include <charconv>

namespace skyline::analyze {
namespace {

// Programs that recurse more deeply are told of up to here; what is deeper belongs to the last line.
constexpr uint32_t kMostLines = 512;

}  // namespace

LinePlaces::LinePlaces(const Trace& trace)
    : trace_(trace), user_files_(trace), nodes_(trace.stacks.size(), kNoRow) {}

uint32_t LinePlaces::child(uint32_t parent, FrameId frame) {
  if (!frame.exists() || tree_.depth(parent) >= kMostLines) return parent;
  const StringId file = trace_.frames.file[frame.value], function = trace_.frames.function[frame.value];
  const int32_t line = trace_.frames.line[frame.value];
  if (!user_files_.contains(file)) return parent;
  const auto [entry, is_new] = children_.try_emplace({parent, file, function, line}, kNoRow);
  if (is_new) {
    entry->second = tree_.add(parent);
    labels_.push_back({trace_.strings[file], trace_.strings[function], line});
  }
  return entry->second;
}

uint32_t LinePlaces::node(StackId stack) {
  std::vector<StackId> inside;
  StackId at = stack;
  for (; at.exists() && nodes_[at.value] == kNoRow; at = trace_.stacks.parent[at.value]) inside.push_back(at);
  uint32_t place = at.exists() ? nodes_[at.value] : PlaceTree::kRoot;
  for (auto next = inside.rbegin(); next != inside.rend(); ++next)
    place = nodes_[next->value] = child(place, trace_.stacks.frame[next->value]);
  return place;
}

uint32_t LinePlaces::node_within(StackId stack, StackId outside, uint32_t from) {
  std::vector<FrameId> frames;
  for (StackId at = stack; at.exists() && at != outside; at = trace_.stacks.parent[at.value])
    frames.push_back(trace_.stacks.frame[at.value]);
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) from = child(from, *frame);
  return from;
}

uint32_t LinePlaces::node_of_frame(StringId frame, uint32_t around) {
  const std::string_view text = trace_.strings[frame];
  const size_t open = text.rfind('('), close = text.find("): ", open);
  if (open == std::string_view::npos || close == std::string_view::npos || tree_.depth(around) >= kMostLines)
    return around;
  int32_t line = 0;
  const std::from_chars_result read = std::from_chars(text.data() + open + 1, text.data() + close, line);
  if (read.ptr != text.data() + close || looks_foreign(text.substr(0, open))) return around;
  const auto [entry, is_new] = children_.try_emplace({around, frame, frame, line}, kNoRow);
  if (is_new) {
    entry->second = tree_.add(around);
    labels_.push_back({text.substr(0, open), text.substr(close + 3), line});
  }
  return entry->second;
}

}  // namespace skyline::analyze
