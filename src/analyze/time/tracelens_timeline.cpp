#include "analyze/time/tracelens_timeline.h"

#include <algorithm>

#include "analyze/core/activity_view.h"
#include "analyze/core/figures.h"

namespace skyline::analyze {
namespace {

bool contains_nccl(std::string_view name) {
  constexpr std::string_view kNccl = "nccl";
  const auto same = [](char in_name, char wanted) {
    return (in_name | 0x20) == wanted;
  };  // letters to lower case
  return std::search(name.begin(), name.end(), kNccl.begin(), kNccl.end(), same) != name.end();
}

}  // namespace

std::vector<Figure> tracelens_timeline(const AnalyzedTrace& analyzed) {
  const Trace& trace = analyzed.trace();
  const ActivityView& view = analyzed.get<ActivityView>();
  PerName<bool> has_nccl(trace.strings, contains_nccl);
  const auto is_linked = [&](const ActivitySpan& row) {
    return trace.activities.launch[row.activity].exists();
  };
  const auto is_copy = [&](const ActivitySpan& row) {
    return trace.category(trace.activities.slice[row.activity]) == Category::kMemcpy;
  };

  const IntervalSet busy = view.covered(is_linked);
  const IntervalSet copy =
      view.covered([&](const ActivitySpan& row) { return is_linked(row) && is_copy(row); });
  const IntervalSet comm = view.covered(
      [&](const ActivitySpan& row) { return is_linked(row) && !is_copy(row) && has_nccl(row.name); });
  const IntervalSet compute = view.covered(
      [&](const ActivitySpan& row) { return is_linked(row) && !is_copy(row) && !has_nccl(row.name); });
  const int64_t window = view.window_ns(is_linked);

  return make_figures(kTracelensFigures,
                      {
                          {"tracelens.window", window},
                          {"tracelens.busy", busy.total_ns()},
                          {"tracelens.idle", window - busy.total_ns()},
                          {"tracelens.compute", compute.total_ns()},
                          {"tracelens.comm", comm.total_ns()},
                          {"tracelens.exposed_comm", subtract(comm, compute).total_ns()},
                          {"tracelens.memcpy", copy.total_ns()},
                          {"tracelens.exposed_memcpy", subtract(copy, unite(compute, comm)).total_ns()},
                      });
}

}  // namespace skyline::analyze
