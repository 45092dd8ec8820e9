#include "analyze/module_places.h"

namespace skyline {

ModulePlaces::ModulePlaces(const Trace& trace)
    : trace_(trace),
      root_(trace.modules.size()),
      around_(trace.modules.size()),
      nodes_(trace.modules.size(), kNoRow) {
  find_roots();
  for (uint32_t m = 0; m < root_.size(); ++m) {
    const ModuleId module(m);
    if (!name_of(module).empty()) by_name_.try_emplace({root_[m], name_of(module)}, module);
  }
}

void ModulePlaces::find_roots() {
  const StackTable& stacks = trace_.stacks;
  std::vector<ModuleId> outermost(stacks.size()), around(stacks.size());
  std::vector<bool> is_met(root_.size(), false);
  for (uint32_t s = 0; s < stacks.size(); ++s) {  // stacks around stand before
    const ModuleId module = stacks.module[s];
    const StackId outer = stacks.parent[s];
    if (!module.exists()) continue;
    if (outer.exists()) {
      outermost[s] = outermost[outer.value];
      const ModuleId outside = stacks.module[outer.value];
      around[s] = outside == module ? around[outer.value] : outside;
    }
    if (!outermost[s].exists()) outermost[s] = module;
    if (is_met[module.value]) continue;
    is_met[module.value] = true;
    root_[module.value] = outermost[s];
    around_[module.value] = around[s];
  }
  for (uint32_t m = 0; m < root_.size(); ++m) {
    if (!is_met[m]) root_[m] = ModuleId(m);
    // A part that is called by itself later on keeps the name it has in the whole.
    const ModuleId root = root_[m];
    if (!name_of(root).empty()) root_[m] = root_[root.value];
  }
}

ModuleId ModulePlaces::named(ModuleId root, std::string_view name) const {
  const auto found = by_name_.find({root, name});
  return found == by_name_.end() ? ModuleId() : found->second;
}

uint32_t ModulePlaces::add(uint32_t parent, ModuleId root, Label label) {
  labels_.push_back(label);
  root_of_node_.push_back(root);
  return tree_.add(parent);
}

uint32_t ModulePlaces::find_parent(ModuleId module) {
  const ModuleId root = root_[module.value];
  std::string_view name = name_of(module);
  for (size_t dot = name.rfind('.'); dot != std::string_view::npos; dot = name.rfind('.')) {
    name = name.substr(0, dot);
    if (const ModuleId outer = named(root, name); outer.exists()) return node(outer);
  }
  return root != module && name_of(root).empty() ? node(root) : PlaceTree::kRoot;
}

uint32_t ModulePlaces::node(ModuleId module) {
  if (!module.exists()) return PlaceTree::kRoot;
  uint32_t& known = nodes_[module.value];
  if (known != kNoRow) return known;
  const ModuleId root = root_[module.value], around = around_[module.value];
  const Label label = {name_of(module), class_of(module)};
  if (!label.name.empty()) {
    const ModuleId first = named(root, label.name);
    return known = first == module ? add(find_parent(module), root, label) : node(first);
  }
  if (root == module || !around.exists() || around == module)
    return known = add(PlaceTree::kRoot, module, label);
  const uint32_t parent = node(around);
  const auto [entry, is_new] = nameless_.try_emplace({parent, label.class_name}, kNoRow);
  if (is_new) entry->second = add(parent, root, label);
  return known = entry->second;
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

uint32_t ModulePlaces::node_named(std::string_view name, uint32_t near) {
  const auto in_model = [&](ModuleId root) -> uint32_t {
    for (std::string_view part = name; !part.empty();) {
      if (const ModuleId module = named(root, part); module.exists()) return node(module);
      const size_t dot = part.rfind('.');
      part = dot == std::string_view::npos ? std::string_view() : part.substr(0, dot);
    }
    return kNoRow;
  };
  const ModuleId root = root_of_node_[near];
  if (root.exists()) {
    const uint32_t found = in_model(root);
    return found != kNoRow ? found : node(root);
  }
  for (uint32_t m = 0; m < root_.size(); ++m) {
    if (root_[m] != ModuleId(m)) continue;
    if (const uint32_t found = in_model(ModuleId(m)); found != kNoRow) return found;
  }
  return near;
}

}  // namespace skyline
