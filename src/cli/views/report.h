// What `report` keeps of one trace, and its two forms.
#pragma once

#include <string>
#include <vector>

#include "analyze/analyze.h"
#include "cli/setup/trace_reading.h"
#include "cli/terminal/console.h"

namespace skyline {

struct RankReport {
  RankLabel label;
  std::string what;  // format, producer and devices in a few words
  int64_t world_size = -1;
  Verdict verdict;
  std::vector<Figure> figures;
  Table steps;
  Table ops;      // the first few
  Table kernels;  // the first few
  LossCounts losses;
  int64_t ingest_ns = 0;
  int64_t figures_ns = 0;
};

RankReport make_report(const Trace& trace, const RankLabel& label, int64_t ingest_ns, unsigned threads);

// At most 40 lines at a width of 100. `ranks` must not be empty.
std::string render_report_text(const std::vector<RankReport>& ranks, const Console& console);

// `with_timings` makes the output differ from run to run.
std::string render_report_json(const std::vector<RankReport>& ranks, const std::vector<ReadError>& errors,
                               bool with_timings);

}  // namespace skyline
