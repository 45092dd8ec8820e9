#include "analyze/places/breakdown_tree.h"

#include <algorithm>

namespace skyline::analyze {
void TreeSums::add(uint32_t node, uint32_t op, Phase phase, const BreakdownTimes& times, int64_t when_ns) {
  own_[node].add(times);
  first_ns_[node] = std::min(first_ns_[node], when_ns);
  if (op != kNoRow) uses_[{node, op, phase}].add(times);
}

// By first use; places without any have none.
std::vector<std::vector<uint32_t>> TreeSums::find_children() const {
  std::vector<int64_t> first = first_ns_;
  std::vector<std::vector<uint32_t>> children(tree_.size());
  for (uint32_t node = static_cast<uint32_t>(tree_.size()); node-- > 1;) {  // children stand behind
    if (first[node] == INT64_MAX) continue;
    const uint32_t parent = tree_.parent(node);
    first[parent] = std::min(first[parent], first[node]);
    children[parent].push_back(node);
  }
  for (std::vector<uint32_t>& list : children) {
    std::sort(list.begin(), list.end(),
              [&](uint32_t a, uint32_t b) { return first[a] != first[b] ? first[a] < first[b] : a < b; });
  }
  return children;
}

std::map<uint32_t, std::vector<OpUse>> TreeSums::group_uses(const Trace& trace) const {
  std::map<std::tuple<uint32_t, StringId, StringId, StackId, Phase>, OpUse> equal;
  for (const auto& [use, times] : uses_) {
    const uint32_t op = function_[use.op];  // has the inputs
    const StringId name = trace.slices.name[trace.ops.slice[op].value];
    OpUse& sums = equal[{use.node, name, trace.input_dims(op), trace.ops.stack_of(op), use.phase}];
    if (sums.op == kNoRow) sums.op = op;
    sums.name = name;
    sums.input_dims = trace.input_dims(op);
    sums.stack = trace.ops.stack_of(op);
    sums.phase = use.phase;
    sums.calls += times.calls;
    sums.host_ns += times.host.sum();
    sums.device_ns += times.device.sum();
  }
  std::map<uint32_t, std::vector<OpUse>> by_node;
  for (const auto& [key, use] : equal) by_node[std::get<0>(key)].push_back(use);
  for (auto& [node, uses] : by_node) {
    std::stable_sort(uses.begin(), uses.end(), [](const OpUse& a, const OpUse& b) {
      return a.device_ns != b.device_ns ? a.device_ns > b.device_ns : a.host_ns > b.host_ns;
    });
  }
  return by_node;
}

BreakdownTree TreeSums::build(const Trace& trace,
                              const std::function<void(uint32_t, BreakdownNode&)>& name) const {
  const std::vector<std::vector<uint32_t>> children = find_children();
  std::map<uint32_t, std::vector<OpUse>> uses = group_uses(trace);
  BreakdownTree nodes;
  struct Visit {
    uint32_t place;
    uint32_t parent;
  };
  std::vector<Visit> pending = {{PlaceTree::kRoot, kNoRow}};
  while (!pending.empty()) {
    const Visit visit = pending.back();
    pending.pop_back();
    const auto number = static_cast<uint32_t>(nodes.size());
    BreakdownNode& node = nodes.emplace_back();
    node.parent = visit.parent;
    node.depth = tree_.depth(visit.place);
    node.own = node.total = own_[visit.place];
    node.uses = std::move(uses[visit.place]);
    name(visit.place, node);
    const std::vector<uint32_t>& inside = children[visit.place];
    for (auto child = inside.rbegin(); child != inside.rend(); ++child) pending.push_back({*child, number});
  }
  for (uint32_t i = static_cast<uint32_t>(nodes.size()); i-- > 0;) {
    nodes[i].end = std::max(nodes[i].end, i + 1);
    if (nodes[i].parent == kNoRow) continue;
    BreakdownNode& parent = nodes[nodes[i].parent];
    parent.total.add(nodes[i].total);
    parent.end = std::max(parent.end, nodes[i].end);
  }
  return nodes;
}

std::vector<LineTimes> sum_by_line(const BreakdownTree& lines) {
  struct Sums {
    LineTimes times;
    uint32_t open_until = 0;  // the node up to which its total is counted already
  };
  std::map<std::pair<std::string_view, int64_t>, Sums> sums;
  for (uint32_t i = 1; i < lines.size(); ++i) {
    const BreakdownNode& node = lines[i];
    Sums& line = sums[{node.name, node.line}];
    line.times.file = node.name;
    line.times.line = node.line;
    line.times.function = node.function;
    line.times.own.add(node.own.exact());
    line.times.near.add(node.own.near);
    if (i < line.open_until) continue;  // recursion: the outer call has it
    line.times.total.add(node.total);
    line.open_until = node.end;
  }
  std::vector<LineTimes> flat;
  flat.reserve(sums.size());
  for (auto& [key, line] : sums) flat.push_back(std::move(line.times));
  return flat;
}

}  // namespace skyline::analyze
