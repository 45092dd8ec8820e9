#include "serve/messages/memory.h"

#include <algorithm>
#include <numeric>

#include "serve/messages/largest.h"

namespace skyline::serve {
namespace {

constexpr size_t kMostBlocks = 1000, kMostMemoryModules = 3000, kMostMemoryLines = 2000,
                 kMostMemoryLinks = 10'000;

std::vector<int64_t> to_message(const analyze::RoleBytes& roles) {
  return {roles.bytes.begin(), roles.bytes.end()};
}

template <typename List>
Largest largest_by_bytes(const List& list, size_t most) {
  std::vector<int64_t> sizes;
  for (const auto& each : list) sizes.push_back(each.total.sum());
  return {sizes, most};
}

std::vector<protocol::MemoryNode> to_message(const analyze::MemoryTree& tree, const Largest& sent) {
  std::vector<protocol::MemoryNode> nodes;
  for (uint32_t i = 0; i < tree.size(); ++i) {
    const analyze::MemoryNode& node = tree[i];
    if (!sent.has(i)) continue;
    nodes.push_back({sent.number(node.parent), node.depth, sent.end(node.end), node.name, node.class_name,
                     to_message(node.own), to_message(node.total), node.blocks});
  }
  return nodes;
}

protocol::MemoryBlock to_message(const Trace& trace, const analyze::PeakBlock& block, FrameId frame) {
  protocol::MemoryBlock message;
  message.bytes = block.bytes;
  message.role = name_of(block.role);
  if (block.tensor != kNoRow) message.name = trace.strings[trace.tensors.name[block.tensor]];
  message.module = analyze::module_of(trace, block);
  if (frame.exists()) {
    message.file = trace.strings[trace.frames.file[frame.value]];
    message.line = trace.frames.line[frame.value];
  }
  if (block.op != kNoRow) message.op = trace.slice_name(trace.ops.slice[block.op]);
  return message;
}

// The largest first; of equals the one that was allocated first.
std::vector<protocol::MemoryBlock> largest_blocks(const Trace& trace, const analyze::MemoryAtPeak& peak) {
  std::vector<uint32_t> order(peak.blocks.size());
  std::iota(order.begin(), order.end(), 0);
  const size_t count = std::min(kMostBlocks, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<ptrdiff_t>(count), order.end(),
                    [&](uint32_t a, uint32_t b) {
                      const int64_t bytes_a = peak.blocks[a].bytes, bytes_b = peak.blocks[b].bytes;
                      return bytes_a != bytes_b ? bytes_a > bytes_b : a < b;
                    });
  order.resize(count);
  const std::vector<FrameId> frames = analyze::lines_of_blocks(trace, peak);
  std::vector<protocol::MemoryBlock> blocks;
  for (const uint32_t block : order) blocks.push_back(to_message(trace, peak.blocks[block], frames[block]));
  return blocks;
}

std::vector<protocol::MemoryLink> largest_links(const analyze::AnalyzedTrace& analyzed,
                                                const analyze::MemoryAtPeak& peak, const Largest& modules,
                                                const Largest& lines) {
  std::vector<protocol::MemoryLink> links;
  std::vector<int64_t> sizes;
  for (const analyze::MemoryLink& link : analyze::memory_links(analyzed, peak)) {
    if (!modules.has(link.module) || !lines.has(link.line)) continue;
    links.push_back({modules.number(link.module), lines.number(link.line), link.bytes});
    sizes.push_back(link.bytes);
  }
  return keep_largest(links, sizes, kMostMemoryLinks);
}

}  // namespace

protocol::MemoryPeak to_message(const analyze::AnalyzedTrace& analyzed, const analyze::MemoryAtPeak& peak,
                                const analyze::MemoryTree& modules,
                                const std::vector<analyze::MemoryLine>& lines) {
  const Trace& trace = analyzed.trace();
  protocol::MemoryPeak message;
  message.device = name_of(peak.device);
  message.peak_bytes = peak.peak.bytes;
  message.time_ns = analyze::minus(peak.peak.time_ns, trace.first_ns);
  message.step = peak.peak.step.value_or(-1);
  message.older_bytes = peak.older_bytes;
  message.roles = to_message(peak.roles);
  const Largest modules_sent = largest_by_bytes(modules, kMostMemoryModules);
  const Largest lines_sent = largest_by_bytes(lines, kMostMemoryLines);
  message.modules = to_message(modules, modules_sent);
  for (size_t i = 0; i < lines.size(); ++i) {
    const analyze::MemoryLine& line = lines[i];
    if (lines_sent.has(i))
      message.lines.push_back({line.file, line.line, line.function, to_message(line.total), line.blocks});
  }
  message.blocks = largest_blocks(trace, peak);
  message.block_count = static_cast<int64_t>(peak.blocks.size());
  message.links = largest_links(analyzed, peak, modules_sent, lines_sent);
  return message;
}

}  // namespace skyline::serve
