// Blocks by module.
//
// Modules in between that never run themselves (a ModuleList) are nodes as well.
#include "analyze/memory/modules.h"

#include <algorithm>
#include <map>

#include "analyze/core/saturate.h"
#include "analyze/memory/lines.h"
#include "analyze/places/module_names.h"
#include "analyze/places/module_roots.h"

namespace skyline::analyze {
namespace {

ModuleId running_module(const Trace& trace, const PeakBlock& block) {
  return block.op == kNoRow ? ModuleId() : trace.ops.module_of(block.op);
}

class ModuleTreeBuilder {
 public:
  explicit ModuleTreeBuilder(const AnalyzedTrace& analyzed)
      : trace_(analyzed.trace()), roots_(analyzed.get<ModuleRoots>()) {
    for (uint32_t module = 0; module < trace_.modules.size(); ++module) {
      const ModuleId id(module);
      classes_.try_emplace({roots_.root_of(id), std::string(roots_.name(id))},
                           trace_.strings[trace_.modules.class_name[module]]);
    }
    grown_.push_back({.parent = kNoRow, .depth = 0});
    children_.emplace_back();
  }

  // Its place, which node_of_place() turns into a node of the tree.
  uint32_t add(const PeakBlock& block) {
    const uint32_t place = place_of(block);
    MemoryNode& node = grown_[place];
    node.own.add(block.role, block.bytes);
    ++node.blocks;
    return place;
  }

  // In preorder, with totals.
  MemoryTree finish() {
    MemoryTree tree;
    node_of_place_.resize(grown_.size());
    emit(0, kNoRow, tree);
    for (size_t node = tree.size(); node-- > 0;) {
      tree[node].total.add(tree[node].own);
      if (tree[node].parent != kNoRow) tree[tree[node].parent].total.add(tree[node].total);
    }
    return tree;
  }

  uint32_t node_of_place(uint32_t place) const { return node_of_place_[place]; }  // once it is finished

 private:
  using Key = std::pair<ModuleId, std::string>;  // root, qualified name

  uint32_t place_of(const PeakBlock& block) {
    const std::string name(module_of(trace_, block));
    if (block.tensor != kNoRow) return node({roots_.model(), name});
    const ModuleId module = running_module(trace_, block);
    return module.exists() ? node({roots_.root_of(module), name}) : 0;
  }

  uint32_t node(const Key& key) {
    const auto known = nodes_.find(key);
    if (known != nodes_.end()) return known->second;
    const uint32_t parent = key.second.empty() ? 0 : node({key.first, std::string(name_around(key.second))});
    const auto added = static_cast<uint32_t>(grown_.size());
    const auto known_class = classes_.find(key);
    grown_.push_back({.parent = parent,
                      .depth = grown_[parent].depth + 1,
                      .name = key.second,
                      .class_name = known_class == classes_.end() ? std::string() : known_class->second});
    children_[parent].push_back(added);
    children_.emplace_back();
    return nodes_[key] = added;
  }

  // No deeper than names have dots.
  void emit(uint32_t from, uint32_t parent, MemoryTree& tree) {
    const auto node = static_cast<uint32_t>(tree.size());
    node_of_place_[from] = node;
    tree.push_back(std::move(grown_[from]));
    tree[node].parent = parent;
    for (const uint32_t child : children_[from]) emit(child, node, tree);
    tree[node].end = static_cast<uint32_t>(tree.size());
  }

  const Trace& trace_;
  const ModuleRoots& roots_;
  std::map<Key, std::string> classes_;
  std::map<Key, uint32_t> nodes_;
  std::vector<MemoryNode> grown_;
  std::vector<std::vector<uint32_t>> children_;
  std::vector<uint32_t> node_of_place_;
};

struct BlocksByModule {
  MemoryTree tree;
  std::vector<uint32_t> node_of_block;
};

BlocksByModule gather_by_module(const AnalyzedTrace& analyzed, const MemoryAtPeak& peak) {
  ModuleTreeBuilder builder(analyzed);
  BlocksByModule by_module;
  for (const PeakBlock& block : peak.blocks) by_module.node_of_block.push_back(builder.add(block));
  by_module.tree = builder.finish();
  for (uint32_t& node : by_module.node_of_block) node = builder.node_of_place(node);
  return by_module;
}

}  // namespace

std::string_view module_of(const Trace& trace, const PeakBlock& block) {
  if (block.tensor != kNoRow) return trace.strings[trace.tensors.module[block.tensor]];
  const ModuleId module = running_module(trace, block);
  return module.exists() ? trace.strings[trace.modules.name[module.value]] : std::string_view();
}

MemoryTree memory_by_module(const AnalyzedTrace& analyzed, const MemoryAtPeak& peak) {
  return gather_by_module(analyzed, peak).tree;
}

std::vector<uint32_t> module_nodes_of_blocks(const AnalyzedTrace& analyzed, const MemoryAtPeak& peak) {
  return gather_by_module(analyzed, peak).node_of_block;
}

std::vector<MemoryLink> memory_links(const AnalyzedTrace& analyzed, const MemoryAtPeak& peak) {
  const auto [tree, nodes] = gather_by_module(analyzed, peak);
  const std::vector<uint32_t> lines = line_numbers_of_blocks(analyzed.trace(), peak);
  std::map<std::pair<uint32_t, uint32_t>, SumNs> sums;
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (uint32_t node = nodes[i]; node != kNoRow; node = tree[node].parent)
      sums[{node, lines[i]}] += peak.blocks[i].bytes;
  }
  std::vector<MemoryLink> links;
  for (const auto& [key, bytes] : sums) links.push_back({key.first, key.second, bytes});
  return links;
}

}  // namespace skyline::analyze
