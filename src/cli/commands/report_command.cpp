#include "cli/commands/report_command.h"

#include "base/parallel.h"
#include "cli/setup/trace_reading.h"
#include "cli/views/report.h"

namespace skyline {

Result<Answer> run_report(const Arguments& arguments, const Context& context) {
  const unsigned threads = thread_count(wanted_threads(arguments, context.environment));
  std::vector<RankReport> ranks;
  const std::vector<ReadError> errors = for_each_trace(
      arguments, context, [&](const Trace& trace, const RankLabel& label, int64_t ingest_ns) -> Status {
        ranks.push_back(make_report(trace, label, ingest_ns, threads));
        return Done{};
      });
  sort_by_rank(ranks);

  Answer answer{.exit_code = exit_code_of(errors)};
  if (arguments.format == "json") {
    answer.text = render_report_json(ranks, errors, context.environment.timings);
  } else if (!ranks.empty()) {
    answer.text = render_report_text(ranks, context.console);
  }
  return answer;
}

}  // namespace skyline
