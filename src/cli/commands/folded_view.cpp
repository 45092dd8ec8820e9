#include "cli/commands/folded_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyze/analyze.h"
#include "cli/setup/trace_reading.h"
#include "cli/terminal/printable.h"
#include "cli/views/losses_view.h"

namespace skyline::cli {
namespace {

struct RankFlame {
  analyze::RankLabel label;
  std::string text;
};

Status check_folded_words(const Arguments& arguments) {
  const std::string& table = arguments.text(kTableArgument);
  if (table != "stacks" && table != "modules") {
    return Error{fmt::format("{} cannot be folded; --format folded is for stacks and modules", table)};
  }
  constexpr const Argument* kOfTables[] = {&kSortArgument, &kFilterArgument, &kGroupByArgument, &kTopArgument,
                                           &kRangesArgument};
  if (std::any_of(std::begin(kOfTables), std::end(kOfTables),
                  [&](const Argument* argument) { return arguments.has(*argument); }))
    return Error{"folded text is always whole; of a table's options it takes --step and --rank only"};
  return Done{};
}

// Every line with its rank in front, as the outermost frame.
std::string with_rank(std::string_view text, int64_t rank) {
  std::string out;
  while (!text.empty()) {
    const size_t end = text.find('\n') + 1;
    out += fmt::format("rank {};{}", rank, text.substr(0, end));
    text.remove_prefix(end);
  }
  return out;
}

// Whatever programs make of it, it ends before somebody's eyes.
std::string printable_lines(const std::string& text) {
  std::string out;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin);
    out += printable(std::string_view(text).substr(begin, end - begin)) + "\n";
    begin = end + 1;
  }
  return out;
}

}  // namespace

Result<Answer> run_show_folded(const Arguments& arguments, const Context& context) {
  SKYLINE_RETURN_IF_ERROR(check_folded_words(arguments));
  const analyze::FlameOptions options = {
      .by = arguments.text(kTableArgument) == "stacks" ? analyze::FlameBy::kStack : analyze::FlameBy::kModule,
      .time =
          arguments.text(kTimeArgument) == "device" ? analyze::FlameTime::kDevice : analyze::FlameTime::kHost,
      .step = arguments.number(kStepArgument),
  };
  const std::optional<int64_t> rank = arguments.number(kRankArgument);
  std::vector<RankFlame> ranks;
  const std::vector<ReadError> errors = for_each_trace(
      arguments, context,
      [&](const analyze::AnalyzedTrace& analyzed, const analyze::RankLabel& label, int64_t) -> Status {
        if (rank && label.rank != *rank) return Done{};
        SKYLINE_RETURN_IF_ERROR(analyze::chosen_step(analyzed.trace(), options.step));
        ranks.push_back({label, analyze::folded(analyze::make_flame(analyzed, options))});
        // Folded text has no place for it.
        const std::string losses = losses_sentence(analyzed.trace().losses);
        if (!losses.empty())
          context.console.complain(fmt::format("losses in {}: {}", title_of(label), losses));
        return Done{};
      });
  if (rank && ranks.empty() && errors.empty())
    return Error{fmt::format("there is no rank {} in these traces", *rank)};
  sort_by_rank(ranks);
  Answer answer{.exit_code = exit_code_of(errors)};
  for (const RankFlame& each : ranks)
    answer.text += ranks.size() > 1 ? with_rank(each.text, each.label.rank) : each.text;
  answer.text = printable_lines(answer.text);
  return answer;
}

}  // namespace skyline::cli
