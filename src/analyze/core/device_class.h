// What kind of work a device activity is, by our own definition.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "analyze/core/per_name.h"
#include "trace/trace.h"

namespace skyline::analyze {

enum class DeviceClass : uint8_t { kCompute, kCommunication, kCopy, kSet };

std::string_view name_of(DeviceClass kind);  // "compute", "communication", "copy", "set"

// Parts of kernel names, in lower case, that tell of talk between devices. HTA's and TraceLens' rule
// is the first line alone (HTA adds every name that begins with "hip", AMD's copies among them).
inline constexpr std::array<std::string_view, 15> kCommunicationNames = {
    "nccl",                 // NVIDIA's collectives
    "rccl",                 // AMD's
    "hccl",                 // Habana's, Huawei's
    "nvshmem",              // one-sided puts and gets
    "deep_ep",              // DeepSeek's expert parallelism
    "::ep::internode",      // the same in older builds
    "::ep::intranode",      //
    "mscclpp",              // Microsoft's
    "symm_mem",             // torch's symmetric memory
    "one_shot_all_reduce",  // hand-written all-reduces of torch, vLLM and SGLang
    "two_shot_all_reduce",  //
    "multimem_all_reduce",  //
    "cross_device_reduce",  //
    "all_reduce_one_shot",  //
    "all_reduce_two_shot",  //
};

bool names_communication(std::string_view name);

// Copies and sets by category; communication by name or because the file describes a collective on
// it; everything else computes.
class DeviceClassifier {
 public:
  explicit DeviceClassifier(const Trace& trace);

  DeviceClass operator()(uint32_t activity);

 private:
  const Trace& trace_;
  PerName<bool> names_communication_;
};

}  // namespace skyline::analyze
