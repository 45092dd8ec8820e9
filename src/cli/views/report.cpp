#include "cli/views/report.h"

#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <iterator>

#include "base/parallel.h"
#include "cli/terminal/printable.h"
#include "cli/terminal/units.h"

namespace skyline {
namespace {

constexpr size_t kTopRows = 8;

Table top_rows(const Trace& trace, std::string_view table) {
  // The registry holds these tables, and the empty query has no words that could be wrong.
  return compute_table(trace, table, {}, {.sort = "", .filter = "", .top = kTopRows}).value();
}

void add_figures(const Trace& trace, RankReport& report) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  report.figures = compute_figures(trace);
  report.figures_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
}

// "torch.profiler, CUPTI 22 · 8 × NVIDIA A100".
std::string describe(const TraceInfo& info) {
  const bool unknown = info.producer.empty() || info.producer == "unknown";
  std::string text = unknown ? "unknown producer" : printable(info.producer);
  if (!info.devices.empty()) {
    const std::string name = printable(info.devices.front().name);
    text += fmt::format(" · {} × {}", info.devices.size(), name.empty() ? "unnamed device" : name);
  }
  return text;
}

}  // namespace

RankReport make_report(const Trace& trace, const RankLabel& label, int64_t ingest_ns, unsigned threads) {
  RankReport report;
  report.label = label;
  report.what = describe(trace.info);
  report.world_size = trace.info.world_size;
  report.ingest_ns = ingest_ns;
  report.losses = trace.losses;

  // The longest first, so that the others fit beside it.
  const std::function<void()> parts[] = {
      [&] { report.ops = top_rows(trace, "ops"); },
      [&] { add_figures(trace, report); },
      [&] { report.kernels = top_rows(trace, "kernels"); },
      [&] { report.verdict = judge(trace); },
      [&] { report.steps = compute_table(trace, "steps", {}, {}).value(); },
  };
  parallel_for(std::size(parts), threads, [&](size_t part) { parts[part](); });
  return report;
}

}  // namespace skyline
