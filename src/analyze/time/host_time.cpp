#include "analyze/time/host_time.h"

#include <algorithm>

#include "analyze/core/figures.h"
#include "analyze/core/host_ranges.h"
#include "analyze/core/recorded.h"
#include "analyze/core/step_window.h"
#include "analyze/time/time_parts.h"

namespace skyline::analyze {
namespace {

// The moments in which some thread is inside an operator.
IntervalSet operator_time(const Trace& trace) {
  OperatorTest is_operator(trace);
  std::vector<Interval> stretches;
  TrackId track;
  // Operators stand thread by thread in order of time, so nested ones melt into those around them here
  // and need not be sorted.
  for (const SliceId slice : trace.ops.slice) {
    if (!is_operator(slice)) continue;
    const int64_t start = trace.slices.start_ns[slice.value], end = trace.slices.end_ns(slice);
    const bool goes_on = trace.slices.track[slice.value] == track && start <= stretches.back().end_ns;
    if (goes_on) {
      stretches.back().end_ns = std::max(stretches.back().end_ns, end);
    } else {
      stretches.push_back({start, end});
      track = trace.slices.track[slice.value];
    }
  }
  return IntervalSet::of(std::move(stretches));
}

}  // namespace

IntervalSet host_outside_operators(const AnalyzedTrace& analyzed) {
  const IntervalSet host = analyzed.get<TimeParts>().host_in(analyzed.get<judged_time>());
  return subtract(host, operator_time(analyzed.trace()));
}

std::vector<Figure> host_time_figures(const AnalyzedTrace& analyzed) {
  FigureValue time, share;
  if (analyzed.get<has_operators>()) {
    const int64_t outside_ns = analyzed.get<host_outside_operators>().total_ns();
    time = outside_ns;
    share = share_of(outside_ns, analyzed.get<judged_time>().total_ns());
  }
  return make_figures(kHostTimeFigures, {
                                            {"host.outside_operators", time},
                                            {"host.outside_operators_share", share},
                                        });
}

}  // namespace skyline::analyze
