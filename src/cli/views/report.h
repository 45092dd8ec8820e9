// What `report` keeps of each trace. Its two forms: report_text.h, report_json.h.
#pragma once

#include <string>
#include <vector>

#include "analyze/analyze.h"
#include "cli/setup/trace_reading.h"

namespace skyline::cli {

// What is shown of one rank alone.
struct RankDetail {
  std::string what;  // producer and devices in a few words
  analyze::Table steps;
  analyze::Table ops;      // the first few
  analyze::Table kernels;  // the first few
  LossCounts losses;
  int64_t ingest_ns = 0;
  int64_t digest_ns = 0;
};

struct RankReport {
  analyze::RankDigest digest;
  RankDetail detail;
};

struct Report {
  analyze::Run run;
  std::vector<RankDetail> details;  // one for each of run.ranks()
};

RankReport report_rank(const analyze::AnalyzedTrace& analyzed, const analyze::RankLabel& label,
                       int64_t ingest_ns, unsigned threads);
Report make_report(std::vector<RankReport> ranks);

}  // namespace skyline::cli
