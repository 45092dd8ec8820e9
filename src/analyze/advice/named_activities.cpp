#include "analyze/advice/named_activities.h"

#include "analyze/core/per_name.h"
#include "analyze/core/saturate.h"

namespace skyline::analyze {

NamedActivities activities_named(const TrainingFacts& facts, bool (*test)(std::string_view)) {
  const Trace& trace = facts.trace;
  PerName<bool> is_it(trace.strings, test);
  std::vector<Interval> moments;
  NamedActivities named;
  int64_t longest = -1;
  for (uint32_t activity = 0; activity < trace.activities.size(); ++activity) {
    const SliceId slice = trace.activities.slice[activity];
    if (!is_it(trace.slices.name[slice.value])) continue;
    const int64_t start = trace.slices.start_ns[slice.value], dur = trace.slices.dur_ns[slice.value];
    if (facts.all.total_within(start, plus(start, 1)) == 0) continue;
    moments.push_back({start, plus(start, dur)});
    named.total_ns = plus(named.total_ns, dur);
    ++named.count;
    if (dur > longest) {
      longest = dur;
      named.op = facts.op_of_activity()[activity];
      named.slices = {slice};
    }
  }
  named.moments = IntervalSet::of(std::move(moments));
  return named;
}

}  // namespace skyline::analyze
