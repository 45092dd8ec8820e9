#include "analyze/time/time_parts.h"

#include "analyze/core/activity_view.h"
#include "analyze/core/host_ranges.h"
#include "analyze/core/saturate.h"
#include "analyze/core/step_window.h"
#include "analyze/time/op_time.h"

namespace skyline::analyze {
namespace {

// Collectives on the host, on any thread: gloo runs them on threads of its own.
IntervalSet host_collectives(const Trace& trace) {
  PerName<bool> is_communication(trace.strings, names_host_communication);
  std::vector<Interval> ranges;
  for (const SliceId slice : trace.ops.slice) {
    if (is_communication(trace.slices.name[slice.value])) {
      ranges.push_back({trace.slices.start_ns[slice.value], trace.slices.end_ns(slice)});
    }
  }
  return IntervalSet::of(std::move(ranges));
}

// The time in which some thread works inside an operator that is not itself a collective.
IntervalSet operator_work(const AnalyzedTrace& analyzed) {
  const Trace& trace = analyzed.trace();
  PerName<bool> is_communication(trace.strings, names_host_communication);
  std::vector<Interval> work;
  for_each_self_stretch(trace, analyzed.get<operator_calls>(),
                        [&](uint32_t op, int64_t start_ns, int64_t end_ns) {
                          if (!is_communication(trace.slices.name[trace.ops.slice[op].value]))
                            work.push_back({start_ns, end_ns});
                        });
  return IntervalSet::of(std::move(work));
}

IntervalSet exposed_host_communication(const AnalyzedTrace& analyzed) {
  IntervalSet collectives = host_collectives(analyzed.trace());
  if (collectives.empty()) return collectives;
  return subtract(collectives, operator_work(analyzed));
}

}  // namespace

IntervalSet fetch_time(const AnalyzedTrace& analyzed) {
  const Trace& trace = analyzed.trace();
  PerName<bool> is_fetch(trace.strings, names_input_fetch);
  std::vector<Interval> fetches;
  for (const TrackId thread : analyzed.get<training_threads>()) {
    const Track& track = trace.tracks[thread.value];
    for (uint32_t i = 0; i < track.slice_count; ++i) {
      const SliceId slice(track.first_slice.value + i);
      if (is_fetch(trace.slices.name[slice.value])) {
        fetches.push_back({trace.slices.start_ns[slice.value], trace.slices.end_ns(slice)});
      }
    }
  }
  return IntervalSet::of(std::move(fetches));
}

TimeParts::TimeParts(const AnalyzedTrace& analyzed) {
  const ActivityView& view = analyzed.get<ActivityView>();
  const IntervalSet claims[] = {
      view.covered([](const ActivitySpan& row) {
        return row.kind == DeviceClass::kCompute || row.kind == DeviceClass::kSet;
      }),
      view.covered(DeviceClass::kCommunication),
      view.covered(DeviceClass::kCopy),
      analyzed.get<fetch_time>(),
      exposed_host_communication(analyzed),
  };
  IntervalSet taken;
  for (size_t i = 0; i < sets_.size(); ++i) {
    sets_[i] = subtract(claims[i], taken);
    taken = unite(taken, claims[i]);
  }
}

TimeParts::Times TimeParts::within(int64_t start_ns, int64_t end_ns) const {
  Times times{};
  int64_t rest = minus(end_ns, start_ns);
  for (size_t i = 0; i < sets_.size(); ++i) {
    times[i] = sets_[i].total_within(start_ns, end_ns);
    rest -= times[i];
  }
  times.back() = rest;
  return times;
}

IntervalSet TimeParts::host_in(const IntervalSet& window) const {
  IntervalSet host = window;
  for (const IntervalSet& claimed : sets_) host = subtract(host, claimed);
  return host;
}

}  // namespace skyline::analyze
