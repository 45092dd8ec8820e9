#include "analyze/time/recording_figures.h"

#include <charconv>
#include <optional>

#include "analyze/core/figures.h"
#include "analyze/core/saturate.h"

namespace skyline {
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
    share = share_of(*cost_ns, minus(trace.last_ns, trace.first_ns));
  }
  return make_figures(kRecordingFigures, {
                                             {"recording.calls", calls},
                                             {"recording.cost", cost},
                                             {"recording.cost_per_call", per_call},
                                             {"recording.cost_share", share},
                                         });
}

}  // namespace skyline
