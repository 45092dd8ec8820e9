// What keeps more blocks of a kernel from running on a multiprocessor at once. kernel_shapes.limited_by is a
// sum of these.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace skyline {

enum class OccupancyLimit : int32_t {
  kWarps = 1,
  kRegisters = 2,
  kSharedMemory = 4,
  kBlocks = 8,
  kBarriers = 16
};

struct OccupancyLimitDef {
  OccupancyLimit limit;
  std::string_view word;  // as Kineto writes it
  std::string_view name;  // for people
};

inline constexpr std::array<OccupancyLimitDef, 5> kOccupancyLimits = {{
    {OccupancyLimit::kWarps, "WARPS", "warps"},
    {OccupancyLimit::kRegisters, "REGS", "registers"},
    {OccupancyLimit::kSharedMemory, "SMEM", "shared memory"},
    {OccupancyLimit::kBlocks, "BLOCKS", "blocks"},
    {OccupancyLimit::kBarriers, "BARRIERS", "barriers"},
}};

}  // namespace skyline
