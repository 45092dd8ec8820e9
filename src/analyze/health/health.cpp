// Would the figures be right?
//
// "Wrong" is what makes a figure wrong, or empty where this trace seems to promise one. "Note" is what
// a reader of the figures should know, or could switch on next time.
#include "analyze/health/health.h"

#include "analyze/health/health_checks.h"

namespace skyline {
namespace {

using Check = void (*)(const HealthInput&, HealthItems&);

// In the order in which a person would ask.
constexpr Check kChecks[] = {
    check_losses,            // Was everything read?
    check_zero_times,        // Are there times at all?
    check_host_missing,      // Was the host recorded?
    check_device_missing,    // Was the device recorded?
    check_lost_kernels,      // All of its work?
    check_unlinked,          // Do kernels know who launched them?
    check_before_launch,     // Do the clocks of host and device agree?
    check_external_ids,      // Do ids and nesting tell the same story?
    check_kernel_overlap,    // Does a stream do one thing at a time?
    check_slice_overlap,     // Are the ranges of a thread nested?
    check_zero_durations,    // Are durations too short for the clock?
    check_clock_resolution,  // How exact is the clock?
    check_steps,             // Are there steps?
    check_idle_steps,        // Do they use the device?
    check_device_metadata,   // Which device was it?
    check_rank_metadata,     // Which rank was it?
    check_base_time,         // Can it be laid beside other ranks?
    check_shapes,            // What could be recorded next time?
    check_stack,             //
    check_memory,            //
};

}  // namespace

std::vector<HealthItem> examine(const AnalyzedTrace& analyzed) {
  const HealthInput input(analyzed);
  HealthItems items;
  for (const Check check : kChecks) check(input, items);
  return items;
}

}  // namespace skyline
