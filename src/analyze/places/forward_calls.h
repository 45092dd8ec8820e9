// The operators that an iteration's forward pass calls, call by call, each with the backward work it causes.
//
// An operator inside another one of the same module and line is part of it. A call's time is its part of the
// iteration's wall time (breakdown.h), so nothing is counted twice; where work runs on a device, it is that
// of the activities launched. What checkpointing recomputes is a call of its own. Gradients' accumulation is
// no call's.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analyze/core/analyzed_trace.h"
#include "analyze/places/program_lines.h"
#include "trace/trace.h"

namespace skyline::analyze {

struct ForwardCall {
  uint32_t op;                             // row of Trace::ops
  std::optional<std::string_view> module;  // qualified name, empty for a model itself; none: in no module
  ProgramLines lines;                      // where it was called; empty: not from the user's program
  int64_t forward_ns = 0;
  std::optional<int64_t> backward_ns = {};  // none: no backward operator belongs to it
};

// Of the last complete step, or of everything when there are no steps; in the order of their calls.
std::vector<ForwardCall> forward_calls(const AnalyzedTrace& analyzed);

}  // namespace skyline::analyze
