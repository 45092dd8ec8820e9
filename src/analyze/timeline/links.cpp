#include "analyze/timeline/links.h"

#include <algorithm>

namespace skyline::analyze {

TimelineLinks::TimelineLinks(const Trace& trace)
    : trace_(trace),
      activities_(reverse(trace.launches.size(), trace.activities.launch)),
      backward_(reverse(trace.ops.size(), trace.ops.forward)) {}

TimelineLinks::Reverse TimelineLinks::reverse(size_t targets, const Column<SliceId>& links) const {
  Reverse all;
  all.ends.assign(targets + 1, 0);
  for (const SliceId link : links) {
    if (link.exists()) ++all.ends[trace_.slices.detail[link.value] + 1];
  }
  for (size_t i = 1; i < all.ends.size(); ++i) all.ends[i] += all.ends[i - 1];
  all.rows.resize(all.ends.back());
  // While rows are put, ends[target] moves from where its rows begin to where they end.
  for (uint32_t row = 0; row < links.size(); ++row) {
    if (links[row].exists()) all.rows[all.ends[trace_.slices.detail[links[row].value]]++] = row;
  }
  return all;
}

std::vector<TimelineFlow> TimelineLinks::flows(SliceId slice) const {
  std::vector<TimelineFlow> flows;
  const Category category = trace_.category(slice);
  const uint32_t row = trace_.slices.detail[slice.value];
  if (is_op_or_range(category)) {
    add_op(slice, flows);
  } else if (is_launch(category)) {
    if (trace_.launches.op[row].exists()) flows.push_back({FlowKind::kOp, trace_.launches.op[row]});
    add_activities(row, flows);
  } else if (is_activity(category) && trace_.activities.launch[row].exists()) {
    const SliceId launch = trace_.activities.launch[row];
    const SliceId op = trace_.launches.op[trace_.slices.detail[launch.value]];
    flows.push_back({FlowKind::kLaunch, launch});
    if (op.exists()) flows.push_back({FlowKind::kOp, op});
  }
  return flows;
}

void TimelineLinks::add_activities(uint32_t launch, std::vector<TimelineFlow>& flows) const {
  for (const uint32_t row : activities_.at(launch)) {
    if (flows.size() == kMostFlows) return;
    flows.push_back({FlowKind::kActivity, trace_.activities.slice[row]});
  }
}

void TimelineLinks::add_op(SliceId op, std::vector<TimelineFlow>& flows) const {
  const uint32_t row = trace_.slices.detail[op.value];
  if (trace_.ops.forward[row].exists()) flows.push_back({FlowKind::kForward, trace_.ops.forward[row]});
  for (const uint32_t backward : backward_.at(row)) {
    if (flows.size() == kMostFlows) return;
    flows.push_back({FlowKind::kBackward, trace_.ops.slice[backward]});
  }
  // In a lane, what starts before the operator's end is inside it.
  const SliceTable& slices = trace_.slices;
  const Column<SliceId>& launches = trace_.launches.slice;
  const int64_t end_ns = slices.end_ns(op);
  auto launch =
      static_cast<uint32_t>(std::upper_bound(launches.begin(), launches.end(), op) - launches.begin());
  for (; launch < launches.size() && flows.size() < kMostFlows; ++launch) {
    const uint32_t slice = launches[launch].value;
    if (slices.track[slice] != slices.track[op.value] || slices.start_ns[slice] >= end_ns) return;
    // Calls that start nothing are no flows.
    if (slices.lane[slice] != slices.lane[op.value] || trace_.launches.activities[launch] == 0) continue;
    flows.push_back({FlowKind::kLaunch, launches[launch]});
    add_activities(launch, flows);
  }
}

}  // namespace skyline::analyze
