#include "serve/messages/breakdown.h"

#include <algorithm>

#include "serve/messages/largest.h"

namespace skyline::serve {
namespace {

// So that an answer stays below 5 MB, which a browser reads in a tenth of a second.
constexpr size_t kMostModules = 3000, kMostLines = 1500, kMostLinks = 10'000;
constexpr size_t kMostUsesOfNode = 8, kMostUses = 4000;

protocol::Times to_message(const analyze::BreakdownTimes& times) {
  return {{times.host.ns.begin(), times.host.ns.end()},
          {times.device.ns.begin(), times.device.ns.end()},
          times.calls};
}

protocol::OpUse to_message(const Trace& trace, const analyze::OpUse& use) {
  return {std::string(trace.strings[use.name]),
          std::string(name_of(use.phase)),
          std::string(trace.strings[use.input_dims]),
          use.calls,
          use.host_ns,
          use.device_ns};
}

int64_t size_of(const analyze::BreakdownTimes& times) {
  return analyze::plus(times.host.sum(), times.device.sum());
}

template <typename List>
Largest largest_by_total(const List& list, size_t most) {
  std::vector<int64_t> sizes;
  for (const auto& each : list) sizes.push_back(size_of(each.total));
  return {sizes, most};
}

// Per node how many of its uses are sent: those of the largest nodes first, as these are looked at.
std::vector<size_t> share_out_uses(const analyze::BreakdownTree& tree) {
  std::vector<uint32_t> order(tree.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return size_of(tree[a].own) > size_of(tree[b].own); });
  std::vector<size_t> counts(tree.size());
  size_t left = kMostUses;
  for (const uint32_t node : order) {
    counts[node] = std::min({kMostUsesOfNode, tree[node].uses.size(), left});
    left -= counts[node];
  }
  return counts;
}

std::vector<protocol::BreakdownNode> to_message(const Trace& trace, const analyze::BreakdownTree& tree,
                                                const Largest& sent) {
  const std::vector<size_t> use_counts = share_out_uses(tree);
  std::vector<protocol::BreakdownNode> nodes;
  for (uint32_t i = 0; i < tree.size(); ++i) {
    if (!sent.has(i)) continue;
    const analyze::BreakdownNode& node = tree[i];
    protocol::BreakdownNode& message = nodes.emplace_back();
    message.parent = sent.number(node.parent);
    message.depth = node.depth;
    message.end = sent.end(node.end);
    message.name = node.name;
    message.class_name = node.class_name;
    message.function = node.function;
    message.line = node.line;
    message.own = to_message(node.own);
    message.total = to_message(node.total);
    for (size_t use = 0; use < use_counts[i]; ++use)
      message.uses.push_back(to_message(trace, node.uses[use]));
  }
  return nodes;
}

std::vector<protocol::CodeLink> largest_links(const analyze::Breakdown& breakdown, const Largest& modules,
                                              const Largest& lines) {
  std::vector<protocol::CodeLink> links;
  std::vector<int64_t> sizes;
  for (const analyze::CodeLink& link : breakdown.links) {
    if (!modules.has(link.module) || !lines.has(link.line)) continue;
    links.push_back({modules.number(link.module), lines.number(link.line), link.host_ns, link.device_ns});
    sizes.push_back(analyze::plus(link.host_ns, link.device_ns));
  }
  return keep_largest(links, sizes, kMostLinks);
}

}  // namespace

protocol::Breakdown to_message(const Trace& trace, const analyze::Breakdown& breakdown) {
  const Largest modules = largest_by_total(breakdown.modules, kMostModules);
  const Largest flat_lines = largest_by_total(breakdown.flat_lines, kMostLines);
  protocol::Breakdown message;
  message.step_number = breakdown.step_number;
  message.start_ns = analyze::minus(breakdown.start_ns, trace.first_ns);
  message.end_ns = analyze::minus(breakdown.end_ns, trace.first_ns);
  message.has_device = breakdown.has_device;
  message.modules = to_message(trace, breakdown.modules, modules);
  message.lines = to_message(trace, breakdown.lines, largest_by_total(breakdown.lines, kMostLines));
  for (uint32_t i = 0; i < breakdown.flat_lines.size(); ++i) {
    const analyze::LineTimes& line = breakdown.flat_lines[i];
    if (!flat_lines.has(i)) continue;
    message.flat_lines.push_back({line.file, line.line, line.function, to_message(line.own),
                                  to_message(line.total), line.near.sum(), line.total.elsewhere_ns});
  }
  message.links = largest_links(breakdown, modules, flat_lines);
  for (uint32_t i = 0; i < breakdown.call_lines.size(); ++i) {
    if (modules.has(i)) message.places.push_back(flat_lines.number(breakdown.call_lines[i]));
  }
  return message;
}

}  // namespace skyline::serve
