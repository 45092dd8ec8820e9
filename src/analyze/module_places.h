// The tree of nn.Module instances that operators are put into, by their qualified names.
#pragma once

#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyze/place_tree.h"
#include "trace/trace.h"

namespace skyline {

// A module's place is under the module whose name its own begins with, wherever it is called from; under the
// iteration if there is none. Modules that the outermost one does not hold have no name of their own: those
// of one class under one module share a place.
class ModulePlaces {
 public:
  explicit ModulePlaces(const Trace& trace);

  const PlaceTree& tree() const { return tree_; }

  uint32_t node(ModuleId module);

  // For traces whose modules are known from Python frames only ("nn.Module: Linear_0"): `around` is the place
  // of the module around its first call.
  uint32_t node_of_call(StringId call, uint32_t around);

  // Where the module of this qualified name is, or else the module nearest around it; in the same model as
  // `near`.
  uint32_t node_named(std::string_view name, uint32_t near);

  struct Label {
    std::string_view name, class_name;
  };
  Label label(uint32_t node) const { return labels_[node]; }

 private:
  void find_roots();
  ModuleId named(ModuleId root, std::string_view name) const;
  uint32_t add(uint32_t parent, ModuleId root, Label label);
  uint32_t find_parent(ModuleId module);
  std::string_view name_of(ModuleId module) const {
    return trace_.strings[trace_.modules.name[module.value]];
  }
  std::string_view class_of(ModuleId module) const {
    return trace_.strings[trace_.modules.class_name[module.value]];
  }

  const Trace& trace_;
  PlaceTree tree_;
  std::vector<Label> labels_ = {{}};
  std::vector<ModuleId> root_of_node_ = {ModuleId()};

  // By module: the outermost one when it was first called, which its name is relative to, and the one around
  // it.
  std::vector<ModuleId> root_, around_;
  std::map<std::pair<ModuleId, std::string_view>, ModuleId> by_name_;   // root and name
  std::vector<uint32_t> nodes_;                                         // by module
  std::map<std::pair<uint32_t, std::string_view>, uint32_t> nameless_;  // by parent and class
  std::unordered_map<StringId, uint32_t, IdHash> calls_;
};

}  // namespace skyline
