#include "analyze/core/host_ranges.h"

#include <algorithm>
#include <array>

#include "trace/marks.h"

namespace skyline::analyze {
namespace {

constexpr std::array<std::string_view, 6> kTorchRanges = {
    "ProfilerStep#",        "Optimizer.",           "enumerate(DataLoader)#",
    "enumerate(DataPipe)#", "DataParallel.forward", "DistributedDataParallel.forward",
};
constexpr std::array<std::string_view, 2> kInputRanges = {"enumerate(DataLoader)#", "enumerate(DataPipe)#"};
constexpr std::array<std::string_view, 5> kHostCommunication = {
    "gloo:", "mpi:", "ucc:", "c10d::", "record_param_comms"};

constexpr std::array<std::string_view, 5> kDeviceWork = {"nccl:", "aten::cudnn_", "aten::_cudnn_",
                                                         "aten::miopen_", "CudnnConvolutionBackward"};

template <size_t N>
bool starts_with_any(std::string_view name, const std::array<std::string_view, N>& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

}  // namespace

bool names_torch_range(std::string_view name) { return starts_with_any(name, kTorchRanges); }

bool names_own_mark(std::string_view name) { return name.starts_with(kMarkPrefix); }

bool names_input_fetch(std::string_view name) {
  if (starts_with_any(name, kInputRanges)) return true;
  // "torch/utils/data/dataloader.py(630): __next__", with or without a path before it
  return name.ends_with("): __next__") &&
         name.find("torch/utils/data/dataloader.py(") != std::string_view::npos;
}

bool names_device_work(std::string_view name) { return starts_with_any(name, kDeviceWork); }

bool names_host_communication(std::string_view name) { return starts_with_any(name, kHostCommunication); }

bool names_collective(std::string_view name) {
  return names_host_communication(name) || name.starts_with("nccl:");
}

}  // namespace skyline::analyze
