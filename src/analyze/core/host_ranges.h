// What the ranges on the host's threads mean, by category and name.
#pragma once

#include <string_view>

#include "analyze/core/per_name.h"
#include "trace/trace.h"

namespace skyline::analyze {

// Ranges that torch itself puts around operators: steps, optimizer calls, DataLoader fetches. Today they
// are annotations; torch 1.8 to 1.11 wrote them as operators.
bool names_torch_range(std::string_view name);

// Moments that our recorder marks (trace/marks.h); no ranges that anybody asked for.
bool names_own_mark(std::string_view name);

// The training thread waits for its next batch: DataLoader or DataPipe, as a range or a Python frame.
bool names_input_fetch(std::string_view name);

// A collective that the host itself carries out or waits for. `nccl:…` is not one: that range only
// queues a kernel.
bool names_host_communication(std::string_view name);

// A collective as the host sees it: that, or the range that queues one.
bool names_collective(std::string_view name);

// An operator or range that exists only where a device works: cuDNN's, MIOpen's, NCCL's.
bool names_device_work(std::string_view name);

// Is this slice an operator call, in the same sense for traces of all times?
class OperatorTest {
 public:
  explicit OperatorTest(const Trace& trace)
      : trace_(trace), is_torch_range_(trace.strings, names_torch_range) {}

  bool operator()(SliceId slice) {
    return trace_.category(slice) == Category::kCpuOp && !is_torch_range_(trace_.slices.name[slice.value]);
  }

 private:
  const Trace& trace_;
  PerName<bool> is_torch_range_;
};

}  // namespace skyline::analyze
