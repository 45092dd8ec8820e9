#include "analyze/time/steps_table.h"

#include <algorithm>

#include "analyze/core/saturate.h"
#include "analyze/time/time_parts.h"

namespace skyline {
namespace {

// When the call of each linked activity started, sorted.
std::vector<int64_t> launch_times(const Trace& trace) {
  std::vector<int64_t> times;
  for (const SliceId launch : trace.activities.launch) {
    if (launch.exists()) times.push_back(trace.slices.start_ns[launch.value]);
  }
  std::sort(times.begin(), times.end());
  return times;
}

int64_t count_within(const std::vector<int64_t>& sorted, int64_t start_ns, int64_t end_ns) {
  return std::lower_bound(sorted.begin(), sorted.end(), end_ns) -
         std::lower_bound(sorted.begin(), sorted.end(), start_ns);
}

}  // namespace

Table steps_table(const AnalyzedTrace& analyzed, const TableOptions& options) {
  const Trace& trace = analyzed.trace();
  const TimeParts& parts = analyzed.get<TimeParts>();
  const std::vector<int64_t> launches = launch_times(trace);
  Table table;
  table.columns.assign(std::begin(kStepsColumns), std::end(kStepsColumns));
  for (const Step& step : trace.steps) {
    if (options.step && step.number != *options.step) continue;
    const auto [compute, communication, copy, input, host_communication, host] =
        parts.within(step.start_ns, step.end_ns);
    table.rows.push_back({step.number, minus(step.start_ns, trace.first_ns),
                          minus(step.end_ns, step.start_ns), compute + communication + copy, compute,
                          communication, copy, input, host_communication, host,
                          count_within(launches, step.start_ns, step.end_ns)});
  }
  return table;
}

}  // namespace skyline
