// The device's work over all streams, by start, with its class: what every device figure is made of.
#pragma once

#include <span>
#include <vector>

#include "analyze/core/device_class.h"
#include "analyze/core/intervals.h"
#include "analyze/core/saturate.h"
#include "trace/trace.h"

namespace skyline::analyze {

struct ActivitySpan {
  int64_t start_ns;
  int64_t end_ns;
  uint32_t activity;  // row of Trace::activities
  StringId name;
  DeviceClass kind;
};

class ActivityView {
 public:
  explicit ActivityView(const Trace& trace);

  std::span<const ActivitySpan> rows() const& { return rows_; }
  std::span<const ActivitySpan> rows() const&& = delete;  // would not outlive the view

  // The time in which at least one of the kept activities runs.
  template <typename Keep>
  IntervalSet covered(Keep keep) const {
    IntervalSet set;
    for (const ActivitySpan& row : rows_) {
      if (keep(row)) set.append(row.start_ns, row.end_ns);
    }
    return set;
  }
  IntervalSet covered() const {
    return covered([](const ActivitySpan&) { return true; });
  }
  IntervalSet covered(DeviceClass kind) const {
    return covered([kind](const ActivitySpan& row) { return row.kind == kind; });
  }

  // First start to last end of the kept activities; also those of no length were seen. 0 without any.
  template <typename Keep>
  int64_t window_ns(Keep keep) const {
    bool any = false;
    int64_t first = 0, last = 0;
    for (const ActivitySpan& row : rows_) {
      if (!keep(row)) continue;
      if (!any) first = last = row.start_ns;
      any = true;
      last = std::max(last, row.end_ns);
    }
    return minus(last, first);
  }

 private:
  std::vector<ActivitySpan> rows_;
};

}  // namespace skyline::analyze
