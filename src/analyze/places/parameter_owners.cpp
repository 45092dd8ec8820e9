#include "analyze/places/parameter_owners.h"

#include <algorithm>
#include <set>

namespace skyline::analyze {
namespace {

bool is_below(std::string_view outer, std::string_view name) {
  if (outer.empty()) return true;
  return name.size() > outer.size() && name.starts_with(outer) && name[outer.size()] == '.';
}

// Whether a tensor of these dims fills a storage of so many bytes. Parameters that were packed into one
// storage do not, and are not the same for it.
bool fills(std::string_view dims, int64_t bytes) {
  int64_t elements = 1, number = 0;
  for (const char c : dims) {
    if (c >= '0' && c <= '9') {
      number = std::min<int64_t>(number * 10 + (c - '0'), INT32_MAX);
    } else if (c != '[') {
      elements = number == 0 || elements > INT64_MAX / number ? INT64_MAX : elements * number;
      number = 0;
    }
  }
  constexpr int64_t kLargestElement = 16;
  return bytes < 0 || dims == "[]" || bytes / kLargestElement <= elements;
}

}  // namespace

ParameterOwners::ParameterOwners(const Trace& trace) {
  const TensorTable& tensors = trace.tensors;
  std::unordered_map<uint64_t, std::string_view> owners;  // by storage
  std::set<StringId> known;
  for (uint32_t row = 0; row < tensors.size(); ++row) {
    if (tensors.role[row] != TensorRole::kWeight || !known.insert(tensors.name[row]).second) continue;
    const std::string_view module = trace.strings[tensors.module[row]];
    const std::string_view dims = trace.strings[tensors.dims[row]];
    const bool may_be_shared = tensors.address[row] != 0 && fills(dims, tensors.bytes[row]);
    const std::string_view owner =
        may_be_shared ? owners.try_emplace(tensors.address[row], module).first->second : module;
    by_dims_["[" + std::string(dims) + "]"].push_back({module, owner});
  }
}

std::optional<std::string_view> ParameterOwners::find(std::string_view module,
                                                      std::string_view input_dims) const {
  const auto found = by_dims_.find(std::string(input_dims));
  if (found == by_dims_.end()) return std::nullopt;
  // Its own parameter; else the only one of this shape below it; else the only one at all.
  std::set<std::string_view> below, anywhere;
  for (const Parameter& parameter : found->second) {
    if (parameter.module == module) return parameter.owner;
    if (is_below(module, parameter.module)) below.insert(parameter.owner);
    anywhere.insert(parameter.owner);
  }
  if (below.size() == 1) return *below.begin();
  if (below.empty() && anywhere.size() == 1) return *anywhere.begin();
  return std::nullopt;
}

}  // namespace skyline::analyze
