#include "collect/torch/backward_class.h"

#include <torch/csrc/autograd/function.h>

#include <cstring>
#include <string_view>
#include <typeinfo>

#include "base/hash.h"

namespace skyline::collect {

uint64_t current_backward_class() {
  const auto node = torch::autograd::get_current_node();
  if (!node) return 0;
  uint64_t functions = 0;  // the table of its virtual functions
  std::memcpy(&functions, static_cast<const void*>(node.get()), sizeof functions);
  return mix_u64(functions, 0x9e3779b97f4a7c15) | 1;
}

bool current_backward_class_has_one_name() {
  const auto node = torch::autograd::get_current_node();
  if (!node) return false;
  const torch::autograd::Node& function = *node;
  const std::string_view type = typeid(function).name();
  return type.starts_with("N5torch8autograd") && type.find("PyNode") == std::string_view::npos;
}

}  // namespace skyline::collect
