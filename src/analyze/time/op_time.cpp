#include "analyze/time/op_time.h"

#include "analyze/core/host_ranges.h"
#include "analyze/core/op_memory.h"

namespace skyline::analyze {

std::vector<uint32_t> operator_calls(const Trace& trace) {
  OperatorTest is_operator(trace);
  std::vector<uint32_t> calls;
  for (uint32_t op = 0; op < trace.ops.size(); ++op) {
    if (is_operator(trace.ops.slice[op])) calls.push_back(op);
  }
  return calls;
}

std::vector<uint32_t> innermost_ops(const Trace& trace, std::span<const uint32_t> ops) {
  std::vector<uint32_t> innermost(trace.slices.size(), kNoRow);
  for (const uint32_t op : ops) innermost[trace.ops.slice[op].value] = op;
  // Parents stand before their children, so one pass reaches any depth.
  for (uint32_t s = 0; s < innermost.size(); ++s) {
    const SliceId parent = trace.slices.parent[s];
    if (innermost[s] == kNoRow && parent.exists()) innermost[s] = innermost[parent.value];
  }
  return innermost;
}

std::vector<uint32_t> calls_as_torch_counts(const Trace& trace) {
  PerName<bool> is_mark(trace.strings, names_own_mark);
  std::vector<uint32_t> calls;
  for (uint32_t op = 0; op < trace.ops.size(); ++op) {
    if (!is_mark(trace.slices.name[trace.ops.slice[op].value])) calls.push_back(op);
  }
  const std::vector<uint32_t> innermost = innermost_ops(trace, calls);
  const auto call_around = [&](uint32_t op) {
    const SliceId parent = trace.slices.parent[trace.ops.slice[op].value];
    return parent.exists() ? innermost[parent.value] : kNoRow;
  };
  std::vector<uint32_t> inside(trace.ops.size(), 0);
  for (const uint32_t op : calls) {
    if (const uint32_t outer = call_around(op); outer != kNoRow) ++inside[outer];
  }
  const auto name = [&](uint32_t op) { return trace.slices.name[trace.ops.slice[op].value]; };
  std::erase_if(calls, [&](uint32_t op) {
    const uint32_t outer = call_around(op);
    return outer != kNoRow && inside[outer] == 1 && name(outer) == name(op);
  });
  return calls;
}

std::vector<uint32_t> operators_around(const AnalyzedTrace& analyzed) {
  return innermost_ops(analyzed.trace(), analyzed.get<operator_calls>());
}

std::vector<uint32_t> operators_around_memory(const AnalyzedTrace& analyzed) {
  return ops_around_memory(analyzed.trace(), analyzed.get<operator_calls>());
}

SelectedCalls::SelectedCalls(const AnalyzedTrace& analyzed, const StepFilter& filter, bool as_torch_counts)
    : analyzed_(analyzed), is_all_(filter.takes_everything() && !as_torch_counts) {
  if (is_all_) {
    ops_ = analyzed.get<operator_calls>();
    around_ = analyzed.get<operators_around>();
    return;
  }
  own_ops_ = as_torch_counts ? analyzed.get<calls_as_torch_counts>() : analyzed.get<operator_calls>();
  std::erase_if(own_ops_, [&](uint32_t op) { return !filter.takes_host(analyzed.trace().ops.slice[op]); });
  own_around_ = innermost_ops(analyzed.trace(), own_ops_);
  ops_ = own_ops_;
  around_ = own_around_;
}

std::span<const uint32_t> SelectedCalls::around_memory() {
  if (is_all_) return analyzed_.get<operators_around_memory>();
  if (own_around_memory_.empty()) own_around_memory_ = ops_around_memory(analyzed_.trace(), ops_);
  return own_around_memory_;
}

}  // namespace skyline::analyze
