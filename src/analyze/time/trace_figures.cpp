#include "analyze/time/trace_figures.h"

#include <algorithm>

#include "analyze/core/figures.h"
#include "analyze/core/saturate.h"
#include "analyze/time/op_time.h"

namespace skyline::analyze {
namespace {

size_t host_threads(const Trace& trace) {
  std::vector<bool> seen(trace.tracks.size(), false);
  const auto mark = [&](const Column<SliceId>& slices) {
    for (const SliceId slice : slices) seen[trace.slices.track[slice.value].value] = true;
  };
  mark(trace.ops.slice);
  mark(trace.pythons.slice);
  mark(trace.launches.slice);
  return static_cast<size_t>(std::count(seen.begin(), seen.end(), true));
}

size_t device_streams(const Trace& trace) {
  return static_cast<size_t>(std::count_if(trace.tracks.begin(), trace.tracks.end(),
                                           [](const Track& track) { return track.is_stream(); }));
}

FigureValue mean_step(const Trace& trace) {
  if (trace.steps.empty()) return std::monostate();
  SumNs total;
  for (const Step& step : trace.steps) total += minus(step.end_ns, step.start_ns);
  return total.over(static_cast<int64_t>(trace.steps.size()));
}

}  // namespace

std::vector<Figure> trace_figures(const AnalyzedTrace& analyzed) {
  const Trace& trace = analyzed.trace();
  return make_figures(kTraceFigures, {
                                         {"trace.events", count_of(trace.event_count)},
                                         {"trace.span", minus(trace.last_ns, trace.first_ns)},
                                         {"trace.threads", count_of(host_threads(trace))},
                                         {"trace.streams", count_of(device_streams(trace))},
                                         {"trace.operators", count_of(analyzed.get<operator_calls>().size())},
                                         {"trace.launches", count_of(trace.launches.size())},
                                         {"trace.steps", count_of(trace.steps.size())},
                                         {"trace.step_time", mean_step(trace)},
                                         {"trace.losses", count_of(trace.losses.total(Severity::kDataLoss))},
                                         {"trace.repairs", count_of(trace.losses.total(Severity::kNotice))},
                                     });
}

}  // namespace skyline::analyze
