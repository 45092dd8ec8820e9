#include "cli/commands/evaluate_command.h"

#include <fmt/format.h>

#include "cli/setup/phase_line.h"
#include "cli/setup/session_setup.h"
#include "cli/terminal/printable.h"
#include "cli/views/evaluation_view.h"

namespace skyline::cli {
namespace {

constexpr int64_t kMostBatchSize = int64_t{1} << 32;

// "8,16,32"
Result<std::vector<int64_t>> parse_sizes(std::string_view option, std::string_view text) {
  std::vector<int64_t> sizes;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    const std::string_view word = text.substr(0, comma);
    const std::optional<int64_t> size = parse_number(word);
    if (!size || *size < 1 || *size > kMostBatchSize) {
      return Error{fmt::format("{}: '{}' is not a batch size; write numbers from 1 on, like 8,16,32", option,
                               printable(word))};
    }
    sizes.push_back(*size);
    text = comma == text.npos ? std::string_view() : text.substr(comma + 1);
  }
  return sizes;
}

}  // namespace

Result<Answer> run_evaluate(const Arguments& arguments, const Context& context) {
  session::EvaluateOptions options;
  SKYLINE_TRY(options.starts, parse_sizes("--start", arguments.text(kStartArgument)));
  SKYLINE_TRY(options.targets, parse_sizes("--targets", arguments.text(kTargetsArgument)));
  options.trials = arguments.number(kTrialsArgument).value_or(options.trials);
  SKYLINE_TRY(options.session, session_options(arguments, context));

  PhaseLine line(context.console);
  const session::EvaluateObserver observer = {[&](const session::Progress& progress) { line.show(progress); },
                                              notice_signals()};
  const session::Attempt<session::EvaluateResult> result = session::evaluate(options, observer);
  line.erase();
  if (!result.ok()) return Error{describe_trouble(result.error(), options.session.profile.project_root)};
  const bool as_json = arguments.text(kFormatArgument) == "json";
  return Answer{.text = as_json ? render_evaluation_json(result.value())
                                : render_evaluation(result.value(), context.console)};
}

}  // namespace skyline::cli
