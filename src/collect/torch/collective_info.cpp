#include "collect/torch/collective_info.h"

#include <c10/core/ScalarType.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#if __has_include(<torch/csrc/distributed/c10d/ParamCommsUtils.hpp>)
#include <torch/csrc/distributed/c10d/ParamCommsUtils.hpp>
#define SKYLINE_HAS_COLLECTIVES 1
#endif

namespace skyline::collect {

#if defined(SKYLINE_HAS_COLLECTIVES)
std::string describe_collective() {
  const auto* info = static_cast<const torch::ParamCommsDebugInfo*>(
      c10::ThreadLocalDebugInfo::get(c10::DebugInfoKind::PARAM_COMMS_INFO));
  if (info == nullptr) return {};
  std::string ranks = "[";
  for (const int64_t rank : info->getGroupRanks())
    ranks += (ranks.size() > 1 ? "," : "") + std::to_string(rank);
  std::string text = info->getCollectiveName();
  for (const std::string& field :
       {std::string(c10::toString(info->getDType())), info->getProcessGroupName(), ranks + "]",
        std::to_string(info->getInMessageNelems()), std::to_string(info->getOutMessageNelems()),
        std::to_string(info->getWorldSize())}) {
    text += '\t' + field;
  }
  return text;
}
#else
std::string describe_collective() { return {}; }
#endif

}  // namespace skyline::collect
