#include "analyze/core/activity_view.h"

#include "analyze/core/sort_runs.h"

namespace skyline::analyze {

ActivityView::ActivityView(const Trace& trace) {
  DeviceClassifier class_of(trace);
  rows_.reserve(trace.activities.size());
  for (uint32_t activity = 0; activity < trace.activities.size(); ++activity) {
    const SliceId slice = trace.activities.slice[activity];
    rows_.push_back({trace.slices.start_ns[slice.value], trace.slices.end_ns(slice), activity,
                     trace.slices.name[slice.value], class_of(activity)});
  }
  sort_runs(rows_);
}

}  // namespace skyline::analyze
