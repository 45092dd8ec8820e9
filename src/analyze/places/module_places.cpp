#include "analyze/places/module_places.h"

#include <algorithm>

#include "analyze/places/module_names.h"

namespace skyline::analyze {

ModulePlaces::ModulePlaces(const AnalyzedTrace& analyzed)
    : trace_(analyzed.trace()),
      roots_(analyzed.get<ModuleRoots>()),
      caller_(trace_.modules.size()),
      nodes_(trace_.modules.size(), kNoRow) {
  find_callers();
  for (uint32_t m = 0; m < nodes_.size(); ++m) {
    const ModuleId module(m);
    classes_.try_emplace({roots_.root_of(module), roots_.name(module)}, class_of(module));
  }
}

void ModulePlaces::find_callers() {
  const StackTable& stacks = trace_.stacks;
  std::vector<ModuleId> around(stacks.size());
  std::vector<bool> is_met(caller_.size(), false);
  for (uint32_t s = 0; s < stacks.size(); ++s) {  // stacks around stand before
    const ModuleId module = stacks.module[s];
    const StackId outer = stacks.parent[s];
    if (!module.exists() || !outer.exists()) continue;
    const ModuleId outside = stacks.module[outer.value];
    around[s] = outside == module ? around[outer.value] : outside;
    if (is_met[module.value]) continue;
    is_met[module.value] = true;
    caller_[module.value] = around[s];
  }
}

uint32_t ModulePlaces::add(uint32_t parent, ModuleId root, Label label) {
  labels_.push_back(label);
  root_of_node_.push_back(root);
  return tree_.add(parent);
}

uint32_t ModulePlaces::node(ModuleId module) {
  if (!module.exists()) return PlaceTree::kRoot;
  uint32_t& known = nodes_[module.value];
  if (known != kNoRow) return known;
  const std::string_view name = roots_.name(module);
  const ModuleId root = roots_.root_of(module), caller = caller_[module.value];
  if (!name.empty()) return known = node_named(root, name);
  if (!caller.exists()) return known = node_named(module, {});
  known = node_named(module, {});  // for the time being: callers may go round in circles
  const uint32_t parent = node(caller);
  const auto [entry, is_new] = nameless_.try_emplace({parent, class_of(module)}, kNoRow);
  if (is_new) entry->second = add(parent, roots_.root_of(caller), {{}, class_of(module)});
  return nodes_[module.value] = entry->second;
}

uint32_t ModulePlaces::known_node(ModuleId module) const {
  if (nodes_[module.value] != kNoRow) return nodes_[module.value];
  const std::string_view name = roots_.name(module);
  const auto known = named_.find({name.empty() ? module : roots_.root_of(module), name});
  return known == named_.end() ? kNoRow : known->second;
}

uint32_t ModulePlaces::node_named(ModuleId root, std::string_view name) {
  const auto known = named_.find({root, name});
  if (known != named_.end()) return known->second;
  const bool is_top = name.empty() || (!root.exists() && name_around(name).empty());
  const uint32_t parent = is_top ? PlaceTree::kRoot : node_named(root, name_around(name));
  const auto its_class = classes_.find({root, name});
  const std::string_view class_name = its_class == classes_.end() ? std::string_view() : its_class->second;
  return named_[{root, name}] = add(parent, root, {name, class_name});
}

uint32_t ModulePlaces::node_named(std::string_view name, uint32_t near) {
  const ModuleId root = root_of_node_[near].exists() ? root_of_node_[near] : roots_.model();
  return root.exists() ? node_named(root, name) : near;
}

uint32_t ModulePlaces::node_of_call(StringId call, uint32_t around) {
  const auto [entry, is_new] = calls_.try_emplace(call, kNoRow);
  if (is_new) {
    constexpr std::string_view kPrefix = "nn.Module: ";
    std::string_view name = trace_.strings[call];
    if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
    entry->second = add(around, ModuleId(), {name, name.substr(0, name.rfind('_'))});
  }
  return entry->second;
}

}  // namespace skyline::analyze
