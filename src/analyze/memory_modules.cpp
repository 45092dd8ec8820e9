// Blocks by module.
//
// Modules are named within the outermost one that ran (trace.modules); the program names its tensors within
// its model. Which of the outermost ones is that model is told by the names: the one under which the most
// holders of tensors ran. Modules in between that never run themselves (a ModuleList) are nodes as well.
#include <algorithm>
#include <map>
#include <set>

#include "analyze/memory_at_peak.h"

namespace skyline {
namespace {

ModuleId running_module(const Trace& trace, const PeakBlock& block) {
  return block.op == kNoRow ? ModuleId() : trace.ops.module_of(block.op);
}

class ModuleRoots {
 public:
  explicit ModuleRoots(const Trace& trace) : trace_(trace), root_(trace.modules.size()) {
    std::vector<ModuleId> outermost(trace.stacks.size());
    for (uint32_t stack = 0; stack < outermost.size(); ++stack) {
      const StackId parent = trace.stacks.parent[stack];
      const ModuleId module = trace.stacks.module[stack];
      outermost[stack] = parent.exists() ? outermost[parent.value] : ModuleId();
      if (!outermost[stack].exists()) outermost[stack] = module;
      // A part that is run alone (recomputed, say) keeps the name that it has in the whole.
      if (!module.exists() || !name(outermost[stack]).empty()) continue;
      if (!root_[module.value].exists()) root_[module.value] = outermost[stack];
    }
    for (uint32_t module = 0; module < root_.size(); ++module) {
      if (name(ModuleId(module)).empty()) root_[module] = ModuleId(module);
    }
    model_ = find_model();
    for (ModuleId& root : root_) {
      if (!root.exists()) root = model_;
    }
  }

  ModuleId model() const { return model_; }  // may be none
  ModuleId root_of(ModuleId module) const { return root_[module.value]; }
  std::string_view name(ModuleId module) const { return trace_.strings[trace_.modules.name[module.value]]; }

 private:
  // Of equals the one that ran first.
  ModuleId find_model() const {
    const std::set<StringId> holders(trace_.tensors.module.begin(), trace_.tensors.module.end());
    std::map<ModuleId, std::set<StringId>> held;
    ModuleId best;
    for (uint32_t module = 0; module < root_.size(); ++module) {
      const ModuleId root = root_[module];
      if (!root.exists()) continue;
      std::set<StringId>& names = held[root];
      if (holders.contains(trace_.modules.name[module])) names.insert(trace_.modules.name[module]);
    }
    for (const auto& [root, names] : held) {
      if (!best.exists() || names.size() > held[best].size()) best = root;
    }
    return best;
  }

  const Trace& trace_;
  std::vector<ModuleId> root_;  // per module the outermost one around it
  ModuleId model_;
};

// A name with more is no module's path; its parts are not told apart.
constexpr ptrdiff_t kMostDots = 64;

// "a.b" of "a.b.c"; empty of "a".
std::string name_around(const std::string& name) {
  const size_t dot = name.rfind('.');
  if (dot == std::string::npos || std::count(name.begin(), name.end(), '.') > kMostDots) return {};
  return name.substr(0, dot);
}

class ModuleTreeBuilder {
 public:
  explicit ModuleTreeBuilder(const Trace& trace) : trace_(trace), roots_(trace) {
    for (uint32_t module = 0; module < trace.modules.size(); ++module) {
      const ModuleId id(module);
      classes_.try_emplace({roots_.root_of(id), std::string(roots_.name(id))},
                           trace.strings[trace.modules.class_name[module]]);
    }
    grown_.push_back({.parent = kNoRow, .depth = 0});
    children_.emplace_back();
  }

  void add(const PeakBlock& block) {
    MemoryNode& node = grown_[place_of(block)];
    node.own.add(block.role, block.bytes);
    ++node.blocks;
  }

  // In preorder, with totals.
  MemoryTree finish() {
    MemoryTree tree;
    emit(0, kNoRow, tree);
    for (size_t node = tree.size(); node-- > 0;) {
      tree[node].total.add(tree[node].own);
      if (tree[node].parent != kNoRow) tree[tree[node].parent].total.add(tree[node].total);
    }
    return tree;
  }

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
    const uint32_t parent = key.second.empty() ? 0 : node({key.first, name_around(key.second)});
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
    const auto place = static_cast<uint32_t>(tree.size());
    tree.push_back(std::move(grown_[from]));
    tree[place].parent = parent;
    for (const uint32_t child : children_[from]) emit(child, place, tree);
    tree[place].end = static_cast<uint32_t>(tree.size());
  }

  const Trace& trace_;
  const ModuleRoots roots_;
  std::map<Key, std::string> classes_;
  std::map<Key, uint32_t> nodes_;
  std::vector<MemoryNode> grown_;
  std::vector<std::vector<uint32_t>> children_;
};

}  // namespace

std::string_view module_of(const Trace& trace, const PeakBlock& block) {
  if (block.tensor != kNoRow) return trace.strings[trace.tensors.module[block.tensor]];
  const ModuleId module = running_module(trace, block);
  return module.exists() ? trace.strings[trace.modules.name[module.value]] : std::string_view();
}

MemoryTree memory_by_module(const Trace& trace, const MemoryAtPeak& peak) {
  ModuleTreeBuilder builder(trace);
  for (const PeakBlock& block : peak.blocks) builder.add(block);
  return builder.finish();
}

}  // namespace skyline
