#include "analyze/time/device_time.h"

#include <algorithm>

#include "analyze/core/activity_view.h"
#include "analyze/core/figures.h"

namespace skyline::analyze {

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

  return make_figures(kDeviceTimeFigures,
                      {
                          {"device.activities", count_of(trace.activities.size())},
                          {"device.unlinked", static_cast<int64_t>(unlinked)},
                          {"device.window", window},
                          {"device.busy", busy},
                          {"device.idle", window - busy},
                          {"device.compute", compute.total_ns()},
                          {"device.communication", communication.total_ns()},
                          {"device.copy", copy.total_ns()},
                          {"device.set", view.covered(DeviceClass::kSet).total_ns()},
                          {"device.exposed_communication", exposed_communication},
                          {"device.exposed_copy", exposed_copy},
                          {"device.busy_share", share_of(busy, window)},
                          {"device.idle_share", share_of(window - busy, window)},
                          {"device.compute_share", share_of(compute.total_ns(), window)},
                          {"device.communication_share", share_of(communication.total_ns(), window)},
                          {"device.exposed_communication_share", share_of(exposed_communication, window)},
                          {"device.exposed_copy_share", share_of(exposed_copy, window)},
                      });
}

}  // namespace skyline::analyze
