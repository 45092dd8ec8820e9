#include "analyze/time/steps_table.h"

#include <algorithm>

#include "analyze/core/named_cells.h"
#include "analyze/core/saturate.h"
#include "analyze/time/time_parts.h"

namespace skyline::analyze {
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
  struct Row {
    const Step& step;
    TimeParts::Times times;

    int64_t in(Part part) const { return times[static_cast<size_t>(part)]; }
    int64_t device_busy() const { return in(Part::kCompute) + in(Part::kCommunication) + in(Part::kCopy); }
  };
  const auto time_in = [](Part part) { return [part](const Row& row) { return row.in(part); }; };
  const NamedCells<Row> cells(
      kStepsColumns,
      {
          {"step", [](const Row& row) { return row.step.number; }},
          {"start", [&](const Row& row) { return minus(row.step.start_ns, trace.first_ns); }},
          {"duration", [](const Row& row) { return minus(row.step.end_ns, row.step.start_ns); }},
          {"device_busy", [](const Row& row) { return row.device_busy(); }},
          {"device_compute", time_in(Part::kCompute)},
          {"communication", time_in(Part::kCommunication)},
          {"copy", time_in(Part::kCopy)},
          {"input", time_in(Part::kInput)},
          {"host_communication", time_in(Part::kHostCommunication)},
          {"host", time_in(Part::kHost)},
          {"kernels",
           [&](const Row& row) { return count_within(launches, row.step.start_ns, row.step.end_ns); }},
      });
  Table table;
  table.columns = cells.columns();
  for (const Step& step : trace.steps) {
    if (options.step && step.number != *options.step) continue;
    table.rows.push_back(cells.row({step, parts.within(step.start_ns, step.end_ns)}));
  }
  return table;
}

}  // namespace skyline::analyze
