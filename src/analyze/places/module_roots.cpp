#include "analyze/places/module_roots.h"

#include <map>
#include <set>

namespace skyline::analyze {

ModuleRoots::ModuleRoots(const Trace& trace) : trace_(trace), root_(trace.modules.size()) {
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

// Of equals the one that ran first.
ModuleId ModuleRoots::find_model() const {
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

}  // namespace skyline::analyze
