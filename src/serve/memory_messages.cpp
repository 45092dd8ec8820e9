#include "serve/memory_messages.h"

#include <algorithm>
#include <numeric>

namespace skyline {
namespace {

constexpr size_t kMostBlocks = 1000;

std::vector<int64_t> to_message(const RoleBytes& roles) { return {roles.bytes.begin(), roles.bytes.end()}; }

protocol::MemoryNode to_message(const MemoryNode& node) {
  return {node.parent == kNoRow ? -1 : int64_t{node.parent},
          node.depth,
          node.end,
          node.name,
          node.class_name,
          to_message(node.own),
          to_message(node.total),
          node.blocks};
}

protocol::MemoryBlock to_message(const Trace& trace, const PeakBlock& block, FrameId frame) {
  protocol::MemoryBlock message;
  message.bytes = block.bytes;
  message.role = name_of(block.role);
  if (block.tensor != kNoRow) message.name = trace.strings[trace.tensors.name[block.tensor]];
  message.module = module_of(trace, block);
  if (frame.exists()) {
    message.file = trace.strings[trace.frames.file[frame.value]];
    message.line = trace.frames.line[frame.value];
  }
  if (block.op != kNoRow) message.op = trace.slice_name(trace.ops.slice[block.op]);
  return message;
}

// The largest first; of equals the one that was allocated first.
std::vector<protocol::MemoryBlock> largest_blocks(const Trace& trace, const MemoryAtPeak& peak) {
  std::vector<uint32_t> order(peak.blocks.size());
  std::iota(order.begin(), order.end(), 0);
  const size_t count = std::min(kMostBlocks, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<ptrdiff_t>(count), order.end(),
                    [&](uint32_t a, uint32_t b) {
                      const int64_t bytes_a = peak.blocks[a].bytes, bytes_b = peak.blocks[b].bytes;
                      return bytes_a != bytes_b ? bytes_a > bytes_b : a < b;
                    });
  order.resize(count);
  const std::vector<FrameId> frames = lines_of_blocks(trace, peak);
  std::vector<protocol::MemoryBlock> blocks;
  for (const uint32_t block : order) blocks.push_back(to_message(trace, peak.blocks[block], frames[block]));
  return blocks;
}

}  // namespace

protocol::MemoryPeak to_message(const Trace& trace, const MemoryAtPeak& peak, const MemoryTree& modules,
                                const std::vector<MemoryLine>& lines) {
  protocol::MemoryPeak message;
  message.device = name_of(peak.device);
  message.peak_bytes = peak.peak.bytes;
  message.time_ns = minus(peak.peak.time_ns, trace.first_ns);
  message.step = peak.peak.step.value_or(-1);
  message.older_bytes = peak.older_bytes;
  message.roles = to_message(peak.roles);
  for (const MemoryNode& node : modules) message.modules.push_back(to_message(node));
  for (const MemoryLine& line : lines)
    message.lines.push_back({line.file, line.line, line.function, to_message(line.total), line.blocks});
  message.blocks = largest_blocks(trace, peak);
  message.block_count = static_cast<int64_t>(peak.blocks.size());
  for (const MemoryLink& link : memory_links(trace, peak))
    message.links.push_back({link.module, link.line, link.bytes});
  return message;
}

}  // namespace skyline
