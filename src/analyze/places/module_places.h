// The tree of nn.Module instances that operators are put into, by their qualified names.
#pragma once

#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyze/core/analyzed_trace.h"
#include "analyze/places/module_roots.h"
#include "analyze/places/place_tree.h"
#include "trace/trace.h"

namespace skyline::analyze {

// A module's place is under the one that its name says, wherever it is called from; those in between that
// never run themselves (a ModuleList) have places as well. Modules that the outermost one does not hold have
// no name: those of one class that are called in one module share a place.
class ModulePlaces {
 public:
  explicit ModulePlaces(const AnalyzedTrace& analyzed);

  const PlaceTree& tree() const { return tree_; }

  uint32_t node(ModuleId module);
  uint32_t known_node(ModuleId module) const;  // kNoRow: nothing was put there or below

  // Of the module with this qualified name in the same model as `near`.
  uint32_t node_named(std::string_view name, uint32_t near);

  // For traces whose modules are known from Python frames only ("nn.Module: Linear_0"): `around` is the place
  // of the module around its first call.
  uint32_t node_of_call(StringId call, uint32_t around);

  // The innermost module that holds both and runs itself.
  uint32_t shared(uint32_t a, uint32_t b) const {
    uint32_t node = tree_.shared(a, b);
    while (node != PlaceTree::kRoot && labels_[node].class_name.empty()) node = tree_.parent(node);
    return node;
  }

  struct Label {
    std::string_view name, class_name;
  };
  Label label(uint32_t node) const { return labels_[node]; }

 private:
  void find_callers();
  uint32_t add(uint32_t parent, ModuleId root, Label label);
  uint32_t node_named(ModuleId root, std::string_view name);
  std::string_view class_of(ModuleId module) const {
    return trace_.strings[trace_.modules.class_name[module.value]];
  }

  const Trace& trace_;
  const ModuleRoots& roots_;
  PlaceTree tree_;
  std::vector<Label> labels_ = {{}};
  std::vector<ModuleId> root_of_node_ = {ModuleId()};

  std::vector<ModuleId> caller_;                      // by module: the one that first called it; may be none
  std::vector<uint32_t> nodes_;                       // by module
  using Key = std::pair<ModuleId, std::string_view>;  // root, qualified name
  std::map<Key, std::string_view> classes_;
  std::map<Key, uint32_t> named_;
  std::map<std::pair<uint32_t, std::string_view>, uint32_t> nameless_;  // by parent and class
  std::unordered_map<StringId, uint32_t, IdHash> calls_;
};

}  // namespace skyline::analyze
