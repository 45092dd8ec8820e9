#include "analyze/time/device_time.h"

#include <algorithm>

#include "analyze/core/activity_view.h"
#include "analyze/core/figures.h"

namespace skyline {

std::vector<Figure> device_time(const AnalyzedTrace& analyzed) {
  const Trace& trace = analyzed.trace();
  const ActivityView& view = analyzed.get<ActivityView>();
  const Column<SliceId>& launches = trace.activities.launch;
  const auto unlinked = std::count(launches.begin(), launches.end(), SliceId());

  const IntervalSet compute = view.covered(DeviceClass::kCompute);
  const IntervalSet communication = view.covered(DeviceClass::kCommunication);
  const IntervalSet copy = view.covered(DeviceClass::kCopy);
  const int64_t window = view.window_ns([](const ActivitySpan&) { return true; });
  const int64_t busy = view.covered().total_ns();
  const int64_t exposed_communication = subtract(communication, compute).total_ns();
  const int64_t exposed_copy = subtract(copy, unite(compute, communication)).total_ns();

  return make_figures(kDeviceTimeFigures, {
                                              count_of(trace.activities.size()),
                                              static_cast<int64_t>(unlinked),
                                              window,
                                              busy,
                                              window - busy,
                                              compute.total_ns(),
                                              communication.total_ns(),
                                              copy.total_ns(),
                                              view.covered(DeviceClass::kSet).total_ns(),
                                              exposed_communication,
                                              exposed_copy,
                                              share_of(busy, window),
                                              share_of(window - busy, window),
                                              share_of(compute.total_ns(), window),
                                              share_of(communication.total_ns(), window),
                                              share_of(exposed_communication, window),
                                              share_of(exposed_copy, window),
                                          });
}

}  // namespace skyline
