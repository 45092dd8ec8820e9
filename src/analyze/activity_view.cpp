#include "analyze/activity_view.h"

#include <algorithm>

namespace skyline {
namespace {

bool earlier(const ActivityRow& a, const ActivityRow& b) { return a.start_ns < b.start_ns; }

// Each stream is sorted already, so the streams are merged, two by two.
void merge_streams(std::vector<ActivityRow>& rows) {
  std::vector<size_t> bounds = {0};
  for (size_t i = 1; i < rows.size(); ++i) {
    if (earlier(rows[i], rows[i - 1])) bounds.push_back(i);
  }
  bounds.push_back(rows.size());
  const auto at = [&](size_t bound) { return rows.begin() + static_cast<ptrdiff_t>(bound); };
  while (bounds.size() > 2) {
    std::vector<size_t> merged = {0};
    for (size_t i = 0; i + 1 < bounds.size(); i += 2) {
      const size_t end = i + 2 < bounds.size() ? bounds[i + 2] : bounds[i + 1];
      std::inplace_merge(at(bounds[i]), at(bounds[i + 1]), at(end), earlier);
      merged.push_back(end);
    }
    bounds = std::move(merged);
  }
}

}  // namespace

ActivityView::ActivityView(const Trace& trace) {
  DeviceClassifier class_of(trace);
  rows_.reserve(trace.activities.size());
  for (uint32_t activity = 0; activity < trace.activities.size(); ++activity) {
    const SliceId slice = trace.activities.slice[activity];
    rows_.push_back({trace.slices.start_ns[slice.value], trace.slices.end_ns(slice), activity,
                     trace.slices.name[slice.value], class_of(activity)});
  }
  merge_streams(rows_);
}

}  // namespace skyline
