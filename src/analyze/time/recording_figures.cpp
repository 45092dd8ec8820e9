#include "analyze/time/recording_figures.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "analyze/core/figures.h"
#include "analyze/core/saturate.h"
#include "base/median.h"

namespace skyline::analyze {
namespace {

// The number that the recorder left under a key.
std::optional<int64_t> said(const Trace& trace, std::string_view key) {
  for (const auto& [name, text] : trace.info.metadata) {
    if (name != key) continue;
    int64_t number = 0;
    const char* end = text.data() + text.size();
    const std::from_chars_result read = std::from_chars(text.data(), end, number);
    if (read.ec == std::errc() && read.ptr == end && number >= 0) return number;
  }
  return std::nullopt;
}

// How often the recorder was called for what begins inside each step.
struct Calls {
  std::vector<int64_t> by_step;
  int64_t all = 0;
};

Calls count_calls(const Trace& trace) {
  Calls calls = {std::vector<int64_t>(trace.steps.size(), 0), 0};
  const auto add = [&](int64_t time_ns, int64_t count) {
    calls.all += count;
    const auto step = std::upper_bound(trace.steps.begin(), trace.steps.end(), time_ns,
                                       [](int64_t time, const Step& s) { return time < s.end_ns; });
    if (step != trace.steps.end() && step->start_ns <= time_ns)
      calls.by_step[static_cast<size_t>(step - trace.steps.begin())] += count;
  };
  for (const SliceId slice : trace.ops.slice) add(trace.slices.start_ns[slice.value], 2);
  for (const int64_t time_ns : trace.memory.time_ns) add(time_ns, 1);
  return calls;
}

// A recording may hold much more than training: imports, data that is loaded first, waiting; the first step
// may begin with all of it. What recording cost there says nothing about the usual step.
FigureValue cost_share(const Trace& trace, int64_t cost_ns) {
  const Calls calls = count_calls(trace);
  std::vector<double> shares;
  for (size_t i = 0; i < trace.steps.size(); ++i) {
    const int64_t step_ns = minus(trace.steps[i].end_ns, trace.steps[i].start_ns);
    if (step_ns <= 0 || calls.all == 0) continue;
    const double part = static_cast<double>(calls.by_step[i]) / static_cast<double>(calls.all);
    shares.push_back(static_cast<double>(cost_ns) * part / static_cast<double>(step_ns));
  }
  if (shares.empty()) return share_of(cost_ns, minus(trace.last_ns, trace.first_ns));
  return lower_median(std::move(shares));
}

}  // namespace

std::vector<Figure> recording_figures(const AnalyzedTrace& analyzed) {
  const Trace& trace = analyzed.trace();
  FigureValue calls, cost, per_call, share;
  const std::optional<int64_t> call_count = said(trace, "collector.calls");
  const std::optional<int64_t> cost_ns = said(trace, "collector.cost_ns");
  if (call_count) calls = *call_count;
  if (call_count.value_or(0) > 0 && cost_ns) {
    cost = *cost_ns;
    per_call = *cost_ns / *call_count;
    share = cost_share(trace, *cost_ns);
  }
  return make_figures(kRecordingFigures, {
                                             {"recording.calls", calls},
                                             {"recording.cost", cost},
                                             {"recording.cost_per_call", per_call},
                                             {"recording.cost_share", share},
                                         });
}

}  // namespace skyline::analyze
