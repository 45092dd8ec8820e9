// Floating-point operations of calls, by torch.profiler's formulas (with_flops), so that figures of both can
// be compared:
//
//   aten::mm, addmm, bmm, baddbmm   2 · rows · columns · length of the sums (· batch)
//   aten::conv2d                    2 · elements of the output · size of the kernel · input channels / groups
//   aten::mul, add                  elements of the first input
//
// Any other operator has none, also those that do the same work under another name: what calls aten::mm is
// not counted a second time, but what a fused kernel does is not counted at all.
#pragma once

#include <optional>

#include "trace/trace.h"

namespace skyline::analyze {

// Of a row of Trace::ops. None if there is no formula for it, its inputs were not recorded or the number is
// beyond 2^63.
std::optional<int64_t> flops_of(const Trace& trace, uint32_t op);

}  // namespace skyline::analyze
