#include "analyze/health/links.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "analyze/core/recorded.h"
#include "analyze/core/saturate.h"

namespace skyline::analyze {
namespace {

// Up to here an attribution is called complete. Above, operators, hta.* and tracelens.* leave out so
// much device time that they are no longer the answer to their question.
constexpr double kMostUnlinked = 0.05;

// Single kernels before their launch are known faults of the driver's clock; more than this many mean
// that host and device times cannot be compared.
constexpr double kMostBeforeLaunch = 0.01;

double share(int64_t part, size_t whole) { return static_cast<double>(part) / static_cast<double>(whole); }

// "74 of 929 (8.0 %)"
std::string part_of(int64_t part, size_t whole) {
  return fmt::format("{} of {} ({:.1f} %)", part, whole, 100 * share(part, whole));
}

// External id -> op, for the ids that name exactly one op.
std::unordered_map<uint64_t, uint32_t> ops_by_id(const Trace& trace) {
  std::unordered_map<uint64_t, uint32_t> ops;
  for (uint32_t op = 0; op < trace.ops.size(); ++op) {
    const uint64_t id = trace.ops.external_id[op];
    if (id != 0 && !ops.try_emplace(id, op).second) ops[id] = kNoRow;
  }
  return ops;
}

bool encloses(const Trace& trace, SliceId outer, SliceId inner, int64_t tick_ns) {
  return trace.slices.track[outer.value] == trace.slices.track[inner.value] &&
         trace.slices.start_ns[outer.value] <= trace.slices.start_ns[inner.value] &&
         minus(trace.slices.end_ns(inner), tick_ns) <= trace.slices.end_ns(outer);
}

// By how much times may be off.
int64_t tick_of(const Trace& trace) { return trace.info.whole_microseconds ? 1000 : 1; }

}  // namespace

void check_host_missing(const RecordingRuleInput& in, Findings& out) {
  if (in.trace.activities.size() == 0 || has_host_events(in.trace)) return;
  const auto activities = static_cast<int64_t>(in.trace.activities.size());
  if (in.trace.losses[Loss::kUnknownCategory].count > 0) {
    out.push_back(about_recording(
        "host.missing", HealthLevel::kWrong, activities,
        fmt::format("Nothing on the host is of a category that Skyline knows; device activities: {}.",
                    activities),
        std::string(kUnknownCure)));
    return;
  }
  out.push_back(
      about_recording("host.missing", HealthLevel::kWrong, activities,
                      fmt::format("Nothing was recorded on the host; device activities: {}.", activities),
                      "Add ProfilerActivity.CPU to the profiler's activities."));
}

void check_device_missing(const RecordingRuleInput& in, Findings& out) {
  const SliceId sign = in.analyzed.get<sign_of_unrecorded_device>();
  if (!sign.exists()) return;
  if (const auto unknown = static_cast<int64_t>(in.trace.losses[Loss::kUnknownCategory].count); unknown > 0) {
    out.push_back(about_recording(
        "device.missing", HealthLevel::kWrong, unknown,
        fmt::format("A device was at work ({}), and nothing is of a category that Skyline knows as its "
                    "work.",
                    in.trace.slice_name(sign)),
        std::string(kUnknownCure)));
    return;
  }
  out.push_back(about_recording(
      "device.missing", HealthLevel::kWrong, 0,
      fmt::format("A device was at work ({}) but was not recorded.", in.trace.slice_name(sign)),
      "Add ProfilerActivity.CUDA (or XPU, MTIA, PrivateUse1) to the profiler's activities."));
}

void check_lost_kernels(const RecordingRuleInput& in, Findings& out) {
  const LaunchTable& launches = in.trace.launches;
  PerName<bool> is_kernel_launch(in.trace.strings, starts_a_kernel);
  int64_t without = 0;
  size_t calls = 0;
  for (uint32_t l = 0; l < launches.size(); ++l) {
    if (!is_kernel_launch(in.trace.slices.name[launches.slice[l].value])) continue;
    ++calls;
    without += launches.activities[l] == 0;
  }
  if (calls == 0 || in.trace.activities.size() == 0) return;
  if (without == 0) {
    out.push_back(about_recording("launches.without_kernels", HealthLevel::kFine, 0,
                                  fmt::format("Every kernel launch has its kernel in the file ({}).", calls),
                                  ""));
    return;
  }
  // Only a note: a launch into a graph that is being captured has no kernel of its own.
  out.push_back(about_recording(
      "launches.without_kernels", HealthLevel::kNote, without,
      fmt::format("Kernel launches without a kernel in the file: {}.", part_of(without, calls)),
      "Synchronize the device before the profiler stops."));
}

void check_external_ids(const RecordingRuleInput& in, Findings& out) {
  const Trace& trace = in.trace;
  const LaunchTable& launches = trace.launches;
  const std::unordered_map<uint64_t, uint32_t> ops = ops_by_id(trace);
  int64_t differ = 0;
  size_t compared = 0;
  for (uint32_t l = 0; l < launches.size(); ++l) {
    const uint64_t id = launches.external_id[l];
    // Some versions wrote the correlation id in its place.
    const auto op = id == 0 || id == launches.correlation[l] ? ops.end() : ops.find(id);
    if (op == ops.end() || op->second == kNoRow) continue;
    ++compared;
    differ += !encloses(trace, trace.ops.slice[op->second], launches.slice[l], tick_of(trace));
  }
  if (compared == 0) return;
  const std::string sentence =
      differ == 0
          ? fmt::format("External ids and nesting name the same operator for every call ({}).", compared)
          : fmt::format(
                "Calls whose External id names another operator than the one around them: {}; nesting is "
                "used.",
                part_of(differ, compared));
  out.push_back(about_recording("launches.external_id", differ == 0 ? HealthLevel::kFine : HealthLevel::kNote,
                                differ, sentence, ""));
}

void check_unlinked(const RecordingRuleInput& in, Findings& out) {
  const Column<SliceId>& launch = in.trace.activities.launch;
  if (launch.empty()) return;
  const auto unlinked = std::count(launch.begin(), launch.end(), SliceId());
  if (unlinked == 0) {
    out.push_back(about_recording(
        "kernels.unlinked", HealthLevel::kFine, 0,
        fmt::format("Every device activity is linked to its launch ({}).", launch.size()), ""));
    return;
  }
  const bool too_many = share(unlinked, launch.size()) > kMostUnlinked;
  out.push_back(about_recording(
      "kernels.unlinked", too_many ? HealthLevel::kWrong : HealthLevel::kNote, unlinked,
      fmt::format("Device activities without a launch in the file, missing from operators, tracelens.* and, "
                  "with several steps, hta.*: {}.",
                  part_of(unlinked, launch.size())),
      "Give the schedule a warm-up step and synchronize the device before recording begins."));
}

void check_before_launch(const RecordingRuleInput& in, Findings& out) {
  const Trace& trace = in.trace;
  int64_t early = 0, largest_ns = 0;
  size_t linked = 0;
  for (uint32_t a = 0; a < trace.activities.size(); ++a) {
    const SliceId launch = trace.activities.launch[a];
    if (!launch.exists()) continue;
    ++linked;
    const int64_t start = trace.slices.start_ns[trace.activities.slice[a].value];
    const int64_t before_ns = minus(trace.slices.start_ns[launch.value], start);
    if (before_ns < tick_of(trace)) continue;
    ++early;
    largest_ns = std::max(largest_ns, before_ns);
  }
  if (linked == 0) return;
  if (early == 0) {
    out.push_back(about_recording("kernels.before_launch", HealthLevel::kFine, 0,
                                  "No kernel starts before its launch.", ""));
    return;
  }
  const bool too_many = share(early, linked) > kMostBeforeLaunch;
  out.push_back(about_recording(
      "kernels.before_launch", too_many ? HealthLevel::kWrong : HealthLevel::kNote, early,
      fmt::format(
          "Device activities that start before their launch, by up to {} ns, as the clocks of host and "
          "device disagree: {}.",
          largest_ns, part_of(early, linked)),
      "Update the driver and CUPTI or roctracer; do not trust figures that compare host and device."));
}

// Programmatic dependent launch lets a kernel begin while the one before it ends, so this is no fault,
// but then the kernels' durations add up to more than the stream's busy time.
void check_kernel_overlap(const RecordingRuleInput& in, Findings& out) {
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
  out.push_back(about_recording(
      "kernels.overlap", HealthLevel::kNote, overlapping,
      fmt::format("Device activities that start before the previous one on their stream has ended: {}.",
                  part_of(overlapping, trace.activities.size())),
      ""));
}

}  // namespace skyline::analyze
