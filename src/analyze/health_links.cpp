#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "analyze/health.h"

namespace skyline {
namespace {

// Up to here an attribution is called complete. Above, operators, hta.* and tracelens.* leave out so
// much device time that they are no longer the answer to their question.
constexpr double kMostUnlinked = 0.05;

// Single kernels before their launch are known faults of the driver's clock; more than this many mean
// that host and device times cannot be compared.
constexpr double kMostBeforeLaunch = 0.01;

double share(int64_t part, size_t whole) { return static_cast<double>(part) / static_cast<double>(whole); }

std::string percentage(int64_t part, size_t whole) {
  return fmt::format("{:.1f} %", 100 * share(part, whole));
}

bool starts_a_kernel(std::string_view name) { return name.find("LaunchKernel") != std::string_view::npos; }

// External id -> op, for the ids that name exactly one op of a process.
class OpIds {
 public:
  explicit OpIds(const Trace& trace) {
    for (uint32_t op = 0; op < trace.ops.size(); ++op) {
      if (trace.ops.external_id[op] != 0) ++count_[trace.ops.external_id[op]];
    }
  }
  bool names_one_op(uint64_t id) const {
    const auto found = count_.find(id);
    return found != count_.end() && found->second == 1;
  }

 private:
  std::unordered_map<uint64_t, uint32_t> count_;
};

bool is_around(const Trace& trace, uint64_t external_id, SliceId slice) {
  for (; slice.exists(); slice = trace.slices.parent[slice.value]) {
    const Category category = trace.category(slice);
    if (category != Category::kCpuOp && category != Category::kUserAnnotation) continue;
    if (trace.ops.external_id[trace.slices.detail[slice.value]] == external_id) return true;
  }
  return false;
}

}  // namespace

void check_host_missing(const HealthInput& in, HealthItems& out) {
  const Trace& trace = in.trace;
  if (trace.activities.size() == 0 || trace.ops.size() + trace.pythons.size() + trace.launches.size() > 0)
    return;
  out.push_back(
      {"host.missing", HealthLevel::kWrong, static_cast<int64_t>(trace.activities.size()),
       fmt::format("The trace has {} device activities and nothing from the host.", trace.activities.size()),
       "Add ProfilerActivity.CPU to the profiler's activities."});
}

void check_lost_kernels(const HealthInput& in, HealthItems& out) {
  const LaunchTable& launches = in.trace.launches;
  PerName<bool> is_kernel_launch(in.trace.strings, starts_a_kernel);
  int64_t calls = 0, without = 0;
  for (uint32_t l = 0; l < launches.size(); ++l) {
    if (!is_kernel_launch(in.trace.slices.name[launches.slice[l].value])) continue;
    ++calls;
    without += launches.activities[l] == 0;
  }
  if (calls == 0) return;
  // Launches into a graph that is being captured have no kernel of their own, so some may be missing.
  const HealthLevel level = without == 0       ? HealthLevel::kFine
                            : without == calls ? HealthLevel::kWrong
                                               : HealthLevel::kNote;
  const std::string sentence =
      without == 0 ? fmt::format("All {} kernel launches have their kernel in the file.", calls)
                   : fmt::format("{} of {} kernel launches ({}) have no kernel in the file.", without, calls,
                                 percentage(without, static_cast<size_t>(calls)));
  const std::string cure = without == 0
                               ? ""
                               : "Add ProfilerActivity.CUDA, and synchronize the device before the profiler "
                                 "stops.";
  out.push_back({"launches.without_kernels", level, without, sentence, cure});
}

void check_external_ids(const HealthInput& in, HealthItems& out) {
  const Trace& trace = in.trace;
  const LaunchTable& launches = trace.launches;
  const OpIds ids(trace);
  int64_t compared = 0, differ = 0;
  for (uint32_t l = 0; l < launches.size(); ++l) {
    const uint64_t id = launches.external_id[l];
    // Some versions wrote the correlation id in its place.
    if (id == 0 || id == launches.correlation[l] || !ids.names_one_op(id)) continue;
    ++compared;
    differ += !is_around(trace, id, launches.slice[l]);
  }
  if (compared == 0) return;
  const std::string sentence =
      differ == 0
          ? fmt::format("External ids and nesting agree on the operator of all {} calls.", compared)
          : fmt::format(
                "External id names another operator than the one around the call for {} of {} calls ({}); "
                "nesting is used.",
                differ, compared, percentage(differ, static_cast<size_t>(compared)));
  out.push_back(
      {"launches.external_id", differ == 0 ? HealthLevel::kFine : HealthLevel::kNote, differ, sentence, ""});
}

void check_unlinked(const HealthInput& in, HealthItems& out) {
  const Column<SliceId>& launch = in.trace.activities.launch;
  if (launch.empty()) return;
  const auto unlinked = std::count(launch.begin(), launch.end(), SliceId());
  if (unlinked == 0) {
    out.push_back({"kernels.unlinked", HealthLevel::kFine, 0,
                   fmt::format("All {} device activities are linked to their launch.", launch.size()), ""});
    return;
  }
  const bool too_many = share(unlinked, launch.size()) > kMostUnlinked;
  out.push_back(
      {"kernels.unlinked", too_many ? HealthLevel::kWrong : HealthLevel::kNote, unlinked,
       fmt::format("{} of {} device activities ({}) have no launch in the file: operators, hta.* and "
                   "tracelens.* leave them out.",
                   unlinked, launch.size(), percentage(unlinked, launch.size())),
       "Give the schedule a warm-up step and synchronize the device before recording begins."});
}

void check_before_launch(const HealthInput& in, HealthItems& out) {
  const Trace& trace = in.trace;
  const int64_t tick_ns = trace.info.whole_microseconds ? 1000 : 1;
  int64_t linked = 0, early = 0, earliest_ns = 0;
  for (uint32_t a = 0; a < trace.activities.size(); ++a) {
    const SliceId launch = trace.activities.launch[a];
    if (!launch.exists()) continue;
    ++linked;
    const int64_t start = trace.slices.start_ns[trace.activities.slice[a].value];
    const int64_t before_ns = trace.slices.start_ns[launch.value] - start;
    if (before_ns < tick_ns) continue;
    ++early;
    earliest_ns = std::max(earliest_ns, before_ns);
  }
  if (linked == 0) return;
  if (early == 0) {
    out.push_back(
        {"kernels.before_launch", HealthLevel::kFine, 0, "No kernel starts before its launch.", ""});
    return;
  }
  const bool too_many = share(early, static_cast<size_t>(linked)) > kMostBeforeLaunch;
  out.push_back(
      {"kernels.before_launch", too_many ? HealthLevel::kWrong : HealthLevel::kNote, early,
       fmt::format("{} of {} linked activities ({}) start before their launch, by up to {} ns: the clocks of "
                   "host and device disagree.",
                   early, linked, percentage(early, static_cast<size_t>(linked)), earliest_ns),
       "Update the driver and CUPTI or roctracer; do not trust figures that compare host and device."});
}

// Programmatic dependent launch lets a kernel begin while the one before it ends, so this is no fault,
// but then the kernels' durations add up to more than the stream's busy time.
void check_kernel_overlap(const HealthInput& in, HealthItems& out) {
  const Trace& trace = in.trace;
  int64_t overlapping = 0, end_ns = 0;
  TrackId track;
  for (const SliceId slice : trace.activities.slice) {
    if (trace.slices.track[slice.value] != track) {
      track = trace.slices.track[slice.value];
      end_ns = INT64_MIN;
    }
    overlapping += trace.slices.start_ns[slice.value] < end_ns;
    end_ns = std::max(end_ns, trace.slices.end_ns(slice));
  }
  if (overlapping == 0) return;
  out.push_back(
      {"kernels.overlap", HealthLevel::kNote, overlapping,
       fmt::format(
           "{} of {} device activities start before the one before them on the same stream has ended.",
           overlapping, trace.activities.size()),
       ""});
}

}  // namespace skyline
