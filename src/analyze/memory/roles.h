// What a block of memory is to the program: by its name, or by the operator that allocated it.
#pragma once

#include <vector>

#include "analyze/memory/at_peak.h"

namespace skyline::analyze {

// The operator that a block is for, and when in training it ran.
struct BlockOrigin {
  // Of the operators around the allocation the innermost that autograd sees, as its helpers (aten::empty)
  // say nothing; where autograd looks away, the outermost.
  uint32_t op = kNoRow;
  bool is_forward = false;  // neither of the backward pass, unless recomputed there, nor of the optimizer
};

// `innermost` is a row of Trace::ops.
BlockOrigin origin_of(const Trace& trace, uint32_t innermost);

// The first five roles are the program's names for tensors; only some recordings have names.
bool roles_are_known(const Trace& trace);
constexpr bool needs_names(MemoryRole role) { return role < MemoryRole::kActivations; }

// Gives blocks that the program has named while they lived their tensor. `events` are those of the device.
void name_blocks(const Trace& trace, const DeviceMemory& memory, std::span<const MemoryBlock> living,
                 std::span<PeakBlock> blocks);

}  // namespace skyline::analyze
