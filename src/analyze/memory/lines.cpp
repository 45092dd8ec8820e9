// Blocks by the line of the user's program that they were allocated at.
//
// Stacks end somewhere inside torch. The user's line is the innermost one in a file of the user's.
#include "analyze/memory/lines.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

#include "analyze/places/user_files.h"

namespace skyline::analyze {
namespace {

class UserFrames {
 public:
  explicit UserFrames(const Trace& trace) : trace_(trace), files_(trace) {}

  // None if the stack is.
  FrameId of(StackId stack) {
    if (!stack.exists()) return FrameId();
    const auto [entry, is_new] = known_.try_emplace(stack);
    if (is_new) entry->second = find(stack);
    return entry->second;
  }

 private:
  FrameId find(StackId stack) {
    FrameId innermost;
    for (StackId at = stack; at.exists(); at = trace_.stacks.parent[at.value]) {
      const FrameId frame = trace_.stacks.frame[at.value];
      if (!frame.exists()) continue;
      if (files_.contains(trace_.frames.file[frame.value])) return frame;
      if (!innermost.exists()) innermost = frame;
    }
    return innermost;
  }

  const Trace& trace_;
  UserFiles files_;
  std::unordered_map<StackId, FrameId, IdHash> known_;
};

struct BlocksByLine {
  std::vector<MemoryLine> lines;
  std::vector<uint32_t> of_block;  // an index of lines
};

// By the most bytes; of equals the first.
void sort_lines(BlocksByLine& by_line) {
  std::vector<uint32_t> order(by_line.lines.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return by_line.lines[a].total.sum() > by_line.lines[b].total.sum();
  });
  std::vector<MemoryLine> sorted;
  std::vector<uint32_t> number(order.size());
  for (const uint32_t line : order) {
    number[line] = static_cast<uint32_t>(sorted.size());
    sorted.push_back(std::move(by_line.lines[line]));
  }
  by_line.lines = std::move(sorted);
  for (uint32_t& line : by_line.of_block) line = number[line];
}

BlocksByLine gather(const Trace& trace, const MemoryAtPeak& peak) {
  const std::vector<FrameId> frames = lines_of_blocks(trace, peak);
  std::map<std::tuple<StringId, int32_t, StringId>, uint32_t> numbers;
  BlocksByLine by_line;
  std::vector<MemoryLine>& lines = by_line.lines;
  for (size_t i = 0; i < frames.size(); ++i) {
    const FrameId frame = frames[i];
    const StringId file = frame.exists() ? trace.frames.file[frame.value] : StringId();
    const StringId function = frame.exists() ? trace.frames.function[frame.value] : StringId();
    const int32_t line = frame.exists() ? trace.frames.line[frame.value] : 0;
    const auto [entry, is_new] =
        numbers.try_emplace({file, line, function}, static_cast<uint32_t>(lines.size()));
    if (is_new) {
      lines.push_back({.file = std::string(trace.strings[file]),
                       .line = line,
                       .function = std::string(trace.strings[function])});
    }
    lines[entry->second].total.add(peak.blocks[i].role, peak.blocks[i].bytes);
    ++lines[entry->second].blocks;
    by_line.of_block.push_back(entry->second);
  }
  sort_lines(by_line);
  return by_line;
}

}  // namespace

std::vector<FrameId> lines_of_blocks(const Trace& trace, const MemoryAtPeak& peak) {
  UserFrames users(trace);
  std::vector<FrameId> frames;
  for (const PeakBlock& block : peak.blocks) {
    frames.push_back(users.of(block.op == kNoRow ? StackId() : trace.ops.stack_of(block.op)));
  }
  return frames;
}

std::vector<MemoryLine> memory_by_line(const Trace& trace, const MemoryAtPeak& peak) {
  return gather(trace, peak).lines;
}

std::vector<uint32_t> line_numbers_of_blocks(const Trace& trace, const MemoryAtPeak& peak) {
  return gather(trace, peak).of_block;
}

}  // namespace skyline::analyze
