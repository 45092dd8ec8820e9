#include "cli/commands/report_command.h"

#include <utility>

#include "base/parallel.h"
#include "cli/setup/trace_reading.h"
#include "cli/views/report.h"
#include "cli/views/report_json.h"
#include "cli/views/report_text.h"

namespace skyline::cli {

Result<Answer> run_report(const Arguments& arguments, const Context& context) {
  const unsigned threads = thread_count(wanted_threads(arguments, context.environment));
  std::vector<RankReport> ranks;
  const std::vector<ReadError> errors =
      for_each_trace(arguments, context,
                     [&](const analyze::AnalyzedTrace& analyzed, const analyze::RankLabel& label,
                         int64_t ingest_ns) -> Status {
                       ranks.push_back(report_rank(analyzed, label, ingest_ns, threads));
                       return Done{};
                     });
  const Report report = make_report(std::move(ranks));

  Answer answer{.exit_code = exit_code_of(errors)};
  if (arguments.text(kFormatArgument) == "json") {
    answer.text = render_report_json(report, errors, context.environment.timings);
  } else if (!report.details.empty()) {
    answer.text = render_report_text(report, context.console);
  }
  return answer;
}

}  // namespace skyline::cli
