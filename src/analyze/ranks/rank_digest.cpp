#include "analyze/ranks/rank_digest.h"

#include <algorithm>
#include <utility>

#include "analyze/advice/ranking.h"
#include "analyze/core/saturate.h"

namespace skyline::analyze {

RankLabel label_of(const Trace& trace, std::string file, size_t place) {
  const bool is_known = trace.info.rank >= 0;
  return {is_known ? trace.info.rank : static_cast<int64_t>(place), is_known, std::move(file)};
}

double RankDigest::compute_share() const {
  if (verdict.judged_ns <= 0 || verdict.parts.empty()) return 0;
  return static_cast<double>(verdict.parts.front().time_ns) / static_cast<double>(verdict.judged_ns);
}

RankDigest digest(const AnalyzedTrace& analyzed, RankLabel label) {
  const Trace& trace = analyzed.trace();
  RankDigest digest;
  digest.label = std::move(label);
  digest.host = trace.info.host_name;
  digest.world_size = trace.info.world_size;
  digest.start_ns = plus(trace.info.base_ns, trace.first_ns);
  digest.verdict = analyzed.get<answer>();
  digest.advice = analyzed.get<advice>();
  digest.figures = compute_figures(analyzed);
  for (const Step& step : trace.steps) digest.step_ns.push_back(step.dur_ns());
  std::sort(digest.step_ns.begin(), digest.step_ns.end());
  digest.dropped = trace.losses.total(Severity::kDataLoss);
  return digest;
}

}  // namespace skyline::analyze
