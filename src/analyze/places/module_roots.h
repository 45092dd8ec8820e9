// Which model a module belongs to.
//
// Modules are named within the outermost one that ran (trace.modules); the program names its tensors within
// its model. Which of the outermost ones is that model is told by the names: the one under which the most
// holders of tensors ran.
#pragma once

#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace skyline::analyze {

class ModuleRoots {
 public:
  explicit ModuleRoots(const Trace& trace);

  ModuleId model() const { return model_; }  // may be none
  ModuleId root_of(ModuleId module) const { return root_[module.value]; }
  std::string_view name(ModuleId module) const { return trace_.strings[trace_.modules.name[module.value]]; }

 private:
  ModuleId find_model() const;

  const Trace& trace_;
  std::vector<ModuleId> root_;  // per module the outermost one around it
  ModuleId model_;
};

}  // namespace skyline::analyze
