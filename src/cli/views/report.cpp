#include "cli/views/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <utility>

#include "base/parallel.h"
#include "cli/terminal/printable.h"
#include "cli/terminal/units.h"

namespace skyline::cli {
namespace {

constexpr size_t kTopRows = 8;

analyze::Table top_rows(const analyze::AnalyzedTrace& analyzed, std::string_view table) {
  // The registry holds these tables, and the empty query has no words that could be wrong.
  return analyze::compute_table(analyzed, table, {}, {.sort = "", .filter = "", .top = kTopRows}).value();
}

void add_digest(const analyze::AnalyzedTrace& analyzed, const analyze::RankLabel& label, RankReport& report) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  report.digest = analyze::digest(analyzed, label);
  report.detail.digest_ns =
      std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
}

// How operators reached our own recorder; of others nothing.
std::string_view describe_way(const TraceInfo& info) {
  for (const auto& [key, value] : info.metadata) {
    if (key == "collector.way") return value == "direct" ? ", directly" : ", through torch's observers";
  }
  return "";
}

// "torch.profiler, CUPTI 22 · 8 × NVIDIA A100".
std::string describe(const TraceInfo& info) {
  const bool unknown = info.producer.empty() || info.producer == "unknown";
  std::string text = unknown ? "unknown producer" : printable(info.producer);
  text += describe_way(info);
  if (!info.devices.empty()) {
    const std::string name = printable(info.devices.front().name);
    text += fmt::format(" · {} × {}", info.devices.size(), name.empty() ? "unnamed device" : name);
  }
  return text;
}

}  // namespace

RankReport report_rank(const analyze::AnalyzedTrace& analyzed, const analyze::RankLabel& label,
                       int64_t ingest_ns, unsigned threads) {
  const Trace& trace = analyzed.trace();
  RankReport report;
  RankDetail& detail = report.detail;
  detail.what = describe(trace.info);
  detail.ingest_ns = ingest_ns;
  detail.losses = trace.losses;

  // The longest first, so that the others fit beside it.
  const std::function<void()> parts[] = {
      [&] { add_digest(analyzed, label, report); },
      [&] { detail.ops = top_rows(analyzed, "ops"); },
      [&] { detail.kernels = top_rows(analyzed, "kernels"); },
      [&] { detail.steps = analyze::compute_table(analyzed, "steps", {}, {}).value(); },
  };
  parallel_for(std::size(parts), threads, [&](size_t part) { parts[part](); });
  return report;
}

Report make_report(std::vector<RankReport> ranks) {
  // In the order of Run, so that digest and detail of a rank have the same position.
  std::stable_sort(ranks.begin(), ranks.end(),
                   [](const RankReport& a, const RankReport& b) { return a.digest.label < b.digest.label; });
  Report report;
  std::vector<analyze::RankDigest> digests;
  for (RankReport& rank : ranks) {
    digests.push_back(std::move(rank.digest));
    report.details.push_back(std::move(rank.detail));
  }
  report.run = analyze::Run(std::move(digests));
  return report;
}

}  // namespace skyline::cli
