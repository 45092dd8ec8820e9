#include "analyze/time/hta_breakdown.h"

#include <algorithm>
#include <optional>
#include <set>

#include "analyze/core/activity_view.h"
#include "analyze/core/figures.h"

namespace skyline::analyze {
namespace {

bool has_part(std::string_view name, std::string_view part) {
  return name.find(part) != std::string_view::npos;
}

bool names_profiler_step(std::string_view name) { return has_part(name, "ProfilerStep"); }

// Written on a device's row; all else happens on the host.
bool is_on_device(Category category) {
  return is_activity(category) || category == Category::kGpuAnnotation || category == Category::kSync ||
         category == Category::kCudaEvent || category == Category::kProfilerRange;
}

// When the last step begins on the host, if there are several steps.
std::optional<int64_t> start_of_last_step(const Trace& trace) {
  PerName<bool> is_step(trace.strings, names_profiler_step);
  std::set<StringId> names;
  std::optional<int64_t> last;
  for (uint32_t s = 0; s < trace.slices.size(); ++s) {
    if (!is_step(trace.slices.name[s])) continue;
    names.insert(trace.slices.name[s]);
    if (!is_on_device(trace.slices.category[s]))
      last = std::max(last.value_or(INT64_MIN), trace.slices.start_ns[s]);
  }
  return names.size() > 1 ? last : std::nullopt;
}

}  // namespace

HtaClass hta_class(std::string_view name) {
  const auto starts = [&](std::string_view prefix) { return name.starts_with(prefix); };
  // (^nccl.*)|(^hip)|(^hccl)|(.*ncclKernel.*)
  if (starts("nccl") || starts("hip") || starts("hccl") || has_part(name, "ncclKernel")) {
    return HtaClass::kCommunication;
  }
  // (^(hip)?Memcpy)|(^(hip)?Memset)|(^dma), of which hip… never comes this far
  if (starts("Memcpy") || starts("Memset") || starts("dma")) return HtaClass::kMemory;
  // not: (^nccl)|(.*Memcpy)|(.*Memset)|(.*dma)|(^.*Sync)|(^Stream Wait
  // Event)|(cuda.*LaunchKernel)|(^runFunction)|(^hip)
  const bool is_other = has_part(name, "Memcpy") || has_part(name, "Memset") || has_part(name, "dma") ||
                        has_part(name, "Sync") || starts("Stream Wait Event") || starts("runFunction") ||
                        (starts("cuda") && has_part(name, "LaunchKernel"));
  return is_other ? HtaClass::kOther : HtaClass::kComputation;
}

std::vector<Figure> hta_breakdown(const AnalyzedTrace& analyzed) {
  const Trace& trace = analyzed.trace();
  const ActivityView& view = analyzed.get<ActivityView>();
  const std::optional<int64_t> cut = start_of_last_step(trace);
  const auto is_kept = [&](const ActivitySpan& row) {
    const SliceId launch = trace.activities.launch[row.activity];
    return !cut || (launch.exists() && trace.slices.start_ns[launch.value] < *cut);
  };
  PerName<HtaClass> class_of(trace.strings, hta_class);
  const auto is_kept_and = [&](HtaClass kind) {
    return [&, kind](const ActivitySpan& row) { return is_kept(row) && class_of(row.name) == kind; };
  };

  const auto kernels = std::count_if(view.rows().begin(), view.rows().end(), is_kept);
  const int64_t kernel_time = view.window_ns(is_kept);
  const int64_t idle = kernel_time - view.covered(is_kept).total_ns();
  const IntervalSet compute = view.covered(is_kept_and(HtaClass::kComputation));
  const IntervalSet communication = view.covered(is_kept_and(HtaClass::kCommunication));
  const int64_t overlap = intersect(communication, compute).total_ns();

  return make_figures(kHtaFigures,
                      {
                          {"hta.kernels", static_cast<int64_t>(kernels)},
                          {"hta.kernel_time", kernel_time},
                          {"hta.idle", idle},
                          {"hta.compute", compute.total_ns()},
                          {"hta.non_compute", kernel_time - idle - compute.total_ns()},
                          {"hta.comm_comp_overlap", overlap},
                          {"hta.comm_comp_overlap_share", share_of(overlap, communication.total_ns())},
                      });
}

}  // namespace skyline::analyze
