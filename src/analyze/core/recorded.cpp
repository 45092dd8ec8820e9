#include "analyze/core/recorded.h"

#include <algorithm>
#include <vector>

#include "analyze/core/host_ranges.h"

namespace skyline::analyze {

bool has_host_ranges(const Trace& trace) { return trace.ops.size() + trace.pythons.size() > 0; }

bool has_host_events(const Trace& trace) { return has_host_ranges(trace) || trace.launches.size() > 0; }

bool has_operators(const Trace& trace) {
  OperatorTest is_operator(trace);
  return std::any_of(trace.ops.slice.begin(), trace.ops.slice.end(),
                     [&](SliceId slice) { return is_operator(slice); });
}

bool has_own_marks(const Trace& trace) {
  PerName<bool> is_mark(trace.strings, names_own_mark);
  return std::any_of(trace.ops.slice.begin(), trace.ops.slice.end(),
                     [&](SliceId slice) { return is_mark(trace.slices.name[slice.value]); });
}

bool is_own_recording(const AnalyzedTrace& analyzed) {
  return analyzed.trace().info.producer.starts_with("skyline") || analyzed.get<has_own_marks>();
}

bool starts_a_kernel(std::string_view call_name) {
  return call_name.find("LaunchKernel") != std::string_view::npos;
}

SliceId sign_of_unrecorded_device(const Trace& trace) {
  if (trace.activities.size() > 0) return SliceId();
  PerName<bool> is_device_work(trace.strings, names_device_work);
  PerName<bool> is_kernel_launch(trace.strings, starts_a_kernel);
  for (const SliceId slice : trace.ops.slice) {
    if (is_device_work(trace.slices.name[slice.value])) return slice;
  }
  for (const SliceId slice : trace.launches.slice) {
    if (is_kernel_launch(trace.slices.name[slice.value])) return slice;
  }
  return SliceId();
}

bool has_unknown_work(const Trace& trace) {
  if (trace.losses[Loss::kUnknownCategory].count == 0) return false;
  std::vector<bool> is_thread(trace.tracks.size(), false);
  const auto mark = [&](const Column<SliceId>& slices) {
    for (const SliceId slice : slices) is_thread[trace.slices.track[slice.value].value] = true;
  };
  mark(trace.ops.slice);
  mark(trace.pythons.slice);
  mark(trace.launches.slice);
  for (uint32_t s = 0; s < trace.slices.size(); ++s) {
    if (trace.slices.category[s] == Category::kOther && !is_thread[trace.slices.track[s].value]) return true;
  }
  return false;
}

}  // namespace skyline::analyze
