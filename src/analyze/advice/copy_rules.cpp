#include "analyze/advice/copy_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analyze/advice/named_activities.h"
#include "analyze/advice/saying.h"
#include "analyze/advice/training_facts.h"
#include "analyze/core/activity_view.h"
#include "analyze/core/recorded.h"
#include "analyze/core/saturate.h"

namespace skyline::analyze {
namespace {

bool names_wait(std::string_view name) { return name.find("Synchronize") != name.npos; }
bool names_host_to_device(std::string_view name) {
  return name.find("HtoD") != name.npos || name.find("HostToDevice") != name.npos;
}
bool names_pageable_copy(std::string_view name) {
  return names_host_to_device(name) && name.find("ageable") != name.npos;
}

}  // namespace

void rule_pageable_copies(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "input.pageable_copies";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  if (!facts.has_device) return;
  const NamedActivities copies = activities_named(facts, names_pageable_copy);
  // The host waits for such copies, too, whatever it is asked to do.
  const IntervalSet exposed =
      subtract(copies.moments, analyzed.get<ActivityView>().covered(
                                   [](const ActivitySpan& row) { return row.kind != DeviceClass::kCopy; }));
  const int64_t time = facts.per_step(exposed);
  if (!facts.is_in_most_steps(copies.count) || facts.share(time) < kWorthSaying) {
    out.push_back(not_found(kId, "Copies from pageable memory take little time."));
    return;
  }
  out.push_back(
      found_time(facts, {.id = kId,
                         .what = "copies from pageable memory to the device while nothing else runs there",
                         .cure = "pin_memory=True in the DataLoader and .to(device, non_blocking=True)",
                         .place = facts.place_of(copies.op),
                         .claims = exposed,
                         .time_ns = time,
                         .gain_ns = time,
                         .figures = {"device.exposed_copy"},
                         .slices = copies.slices,
                         .count = copies.count}));
}

void rule_blocking_copies(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "input.blocking_copies";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  const Trace& trace = facts.trace;
  if (!facts.has_device) return;
  const NamedActivities copies = activities_named(facts, names_host_to_device);
  // A wait right behind the copy, in the same operator.
  PerName<bool> waits(trace.strings, names_wait);
  std::map<uint32_t, bool> copies_to_device;
  for (uint32_t activity = 0; activity < trace.activities.size(); ++activity) {
    const uint32_t op = facts.op_of_activity()[activity];
    if (op != kNoRow && names_host_to_device(trace.slice_name(trace.activities.slice[activity])))
      copies_to_device[op] = true;
  }
  std::vector<Interval> waiting;
  for (uint32_t launch = 0; launch < trace.launches.size(); ++launch) {
    const SliceId slice = trace.launches.slice[launch], op = trace.launches.op[launch];
    if (!op.exists() || !waits(trace.slices.name[slice.value]) ||
        !copies_to_device.contains(trace.slices.detail[op.value]))
      continue;
    waiting.push_back({trace.slices.start_ns[slice.value], trace.slices.end_ns(slice)});
  }
  const auto count = static_cast<int64_t>(waiting.size());
  const IntervalSet other_work = analyzed.get<ActivityView>().covered(
      [](const ActivitySpan& row) { return row.kind != DeviceClass::kCopy; });
  const IntervalSet claims = subtract(unite(IntervalSet::of(std::move(waiting)), copies.moments), other_work);
  const int64_t time = facts.per_step(claims);
  if (count == 0 || !facts.is_in_most_steps(count) || facts.share(time) < 0.02) {
    out.push_back(not_found(kId, "The host does not wait for copies to the device."));
    return;
  }
  out.push_back(found_time(facts, {.id = kId,
                                   .what = "waits for copies to the device",
                                   .cure = "non_blocking=True from pinned memory, one batch ahead,",
                                   .place = facts.place_of(copies.op),
                                   .claims = claims,
                                   .time_ns = time,
                                   .gain_ns = time,
                                   .figures = {"device.exposed_copy"},
                                   .slices = copies.slices,
                                   .count = count}));
}

}  // namespace skyline::analyze
