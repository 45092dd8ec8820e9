// What is this step waiting for?
//
// The wall time of the usual steps (step_window.h) is cut into the parts of time_parts.h; whoever owns the
// most of it is waited for. A trace that would lead to a false answer gets none, but the reason.
#include "analyze/health/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "analyze/core/activity_view.h"
#include "analyze/core/recorded.h"
#include "analyze/core/step_window.h"
#include "analyze/health/verdict_sentence.h"
#include "analyze/time/time_parts.h"

namespace skyline::analyze {
namespace {

// First start to last end of what was recorded on the host.
Interval host_extent(const Trace& trace) {
  Interval extent = {INT64_MAX, INT64_MIN};
  const auto include = [&](const Column<SliceId>& slices) {
    for (const SliceId slice : slices) {
      extent.start_ns = std::min(extent.start_ns, trace.slices.start_ns[slice.value]);
      extent.end_ns = std::max(extent.end_ns, trace.slices.end_ns(slice));
    }
  };
  include(trace.ops.slice);
  include(trace.pythons.slice);
  include(trace.launches.slice);
  return extent;
}

bool clocks_are_disjoint(const Trace& trace, const ActivityView& view) {
  const Interval host = host_extent(trace);
  return !view.rows().empty() &&
         std::all_of(view.rows().begin(), view.rows().end(), [&](const ActivitySpan& row) {
           return row.end_ns < host.start_ns || row.start_ns > host.end_ns;
         });
}

// Neither operators nor Python frames: of what the host did nothing is known.
bool shows_no_work(const AnalyzedTrace& analyzed) {
  return analyzed.trace().pythons.size() == 0 && !analyzed.get<has_operators>();
}

std::string no_operators(const AnalyzedTrace& analyzed) {
  return fmt::format("no operator was recorded in this process{}.",
                     analyzed.get<is_own_recording>() ? "; child processes are not recorded" : "");
}

// Why there can be no verdict; empty when there can.
std::string why_not(const AnalyzedTrace& analyzed, int64_t judged_ns) {
  const Trace& trace = analyzed.trace();
  const ActivityView& view = analyzed.get<ActivityView>();
  if (trace.slices.size() == 0) return "the trace has no events.";
  if (has_unknown_work(trace)) {
    return fmt::format("events of categories that Skyline does not know ({}) are left out.",
                       shorten(trace.losses[Loss::kUnknownCategory].detail, 45));
  }
  if (!has_host_events(trace)) {
    const int64_t window = view.window_ns([](const ActivitySpan&) { return true; });
    if (window == 0) return "nothing was recorded on the host.";
    return fmt::format(
        "nothing was recorded on the host, so idle time has no cause; the device is busy {} %.",
        percent(view.covered().total_ns(), window));
  }
  // Files are not ordered by time: the missing end may hold events, or all kernels, of any step.
  if (trace.losses[Loss::kTruncated].count + trace.losses[Loss::kCorruptStream].count > 0) {
    return "the file is cut off, and what is missing may belong to any step.";
  }
  const SliceId sign = analyzed.get<sign_of_unrecorded_device>();
  if (sign.exists()) {
    return fmt::format("a device was at work ({}) but was not recorded.",
                       shorten(trace.slice_name(sign), 60));
  }
  if (clocks_are_disjoint(trace, view))
    return "host and device were recorded at different times, or on different clocks.";
  if (judged_ns == 0)
    return shows_no_work(analyzed) ? no_operators(analyzed) : "what was recorded has no length.";
  return {};
}

Verdict unknown(const Trace& trace, const std::string& reason) {
  const std::string_view what = trace.steps.empty() ? "run" : "step";
  return {WaitsFor::kUnknown,
          0,
          fmt::format("It cannot be judged what the {} waits for: {}", what, reason),
          0,
          {}};
}

TimeParts::Times times_in(const TimeParts& parts, const IntervalSet& judged) {
  TimeParts::Times sum{};
  for (const Interval& interval : judged.intervals()) {
    const TimeParts::Times times = parts.within(interval.start_ns, interval.end_ns);
    for (size_t i = 0; i < sum.size(); ++i) sum[i] += times[i];
  }
  return sum;
}

// Whose parts take the most time; the device first on a tie, then as listed.
WaitsFor largest_owner(const TimeParts::Times& times) {
  WaitsFor best = WaitsFor::kDevice;
  for (const WaitsFor owner :
       {WaitsFor::kDevice, WaitsFor::kCommunication, WaitsFor::kInput, WaitsFor::kHost}) {
    if (time_of(owner, times) > time_of(best, times)) best = owner;
  }
  return best;
}

}  // namespace

Verdict judge(const AnalyzedTrace& analyzed) {
  const Trace& trace = analyzed.trace();
  const IntervalSet& judged = analyzed.get<usual_time>();
  const int64_t judged_ns = judged.total_ns();
  const std::string reason = why_not(analyzed, judged_ns);
  if (!reason.empty()) return unknown(trace, reason);

  const TimeParts::Times times = times_in(analyzed.get<TimeParts>(), judged);
  const WaitsFor owner = largest_owner(times);
  if (owner == WaitsFor::kHost && !has_host_ranges(trace)) {
    return unknown(trace,
                   fmt::format("the device idles {} % of the time, and of the host only runtime calls were "
                               "recorded.",
                               percent(time_of(owner, times), judged_ns)));
  }
  // Steps would show that something was trained meanwhile.
  const bool has_no_work = trace.steps.empty() && trace.activities.size() == 0 && shows_no_work(analyzed);
  if (owner == WaitsFor::kHost && has_no_work) return unknown(trace, no_operators(analyzed));

  Verdict verdict;
  verdict.waits_for = owner;
  verdict.share = static_cast<double>(time_of(owner, times)) / static_cast<double>(judged_ns);
  verdict.judged_ns = judged_ns;
  for (const PartDef& def : kParts) {
    verdict.parts.push_back({def.name, def.definition, times[static_cast<size_t>(def.part)]});
  }
  verdict.sentence = verdict_sentence(analyzed, times, owner);
  return verdict;
}

void rule_waits_for(const AnalyzedTrace& analyzed, Findings& out) {
  const Verdict& verdict = analyzed.get<judge>();
  Finding finding;
  finding.id = "step.waits_for";
  finding.state = verdict.waits_for == WaitsFor::kUnknown ? FindingState::kCannotJudge : FindingState::kFound;
  finding.sentence = verdict.sentence;
  if (analyzed.trace().activities.size() > 0) {
    finding.evidence.figures = {"device.busy", "device.compute", "device.exposed_communication",
                                "device.exposed_copy", "device.idle"};
  } else {
    finding.evidence.figures = {"host.outside_operators"};
  }
  out.push_back(std::move(finding));
}

}  // namespace skyline::analyze
