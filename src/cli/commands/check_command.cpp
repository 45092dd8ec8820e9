#include "cli/commands/check_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analyze/analyze.h"
#include "cli/setup/trace_reading.h"
#include "cli/terminal/ink.h"
#include "cli/terminal/printable.h"
#include "cli/terminal/units.h"
#include "cli/views/losses_view.h"

namespace skyline::cli {
namespace {

// What is kept of one trace.
struct RankHealth {
  analyze::RankLabel label;
  analyze::Findings items;
  LossCounts losses;

  size_t count(analyze::HealthLevel level) const {
    const auto at_level = [&](const analyze::Finding& item) { return analyze::level_of(item) == level; };
    return static_cast<size_t>(std::count_if(items.begin(), items.end(), at_level));
  }
  analyze::HealthLevel worst() const {
    if (count(analyze::HealthLevel::kWrong) > 0) return analyze::HealthLevel::kWrong;
    return count(analyze::HealthLevel::kNote) > 0 ? analyze::HealthLevel::kNote : analyze::HealthLevel::kFine;
  }
};

std::string_view name_of_level(analyze::HealthLevel level) {
  switch (level) {
    case analyze::HealthLevel::kFine:
      return "fine";
    case analyze::HealthLevel::kNote:
      return "note";
    case analyze::HealthLevel::kWrong:
      return "wrong";
  }
  return "";
}

std::string verdict_of(const RankHealth& rank) {
  const size_t wrong = rank.count(analyze::HealthLevel::kWrong);
  const size_t notes = rank.count(analyze::HealthLevel::kNote);
  const std::string noted = notes == 0 ? "" : fmt::format(", {}", format_counted(notes, "note", "notes"));
  if (wrong == 0) return fmt::format("The figures can be trusted{}.", noted);
  return fmt::format("Some figures would be wrong: {}{}.", format_counted(wrong, "finding", "findings"),
                     noted);
}

// Items of one level, each as "  WORD  name: sentence" on lines that fit.
std::string render_items(const RankHealth& rank, analyze::HealthLevel level, const Console& console) {
  constexpr size_t kIndent = 7;
  std::string out;
  for (const analyze::Finding& item : rank.items) {
    if (analyze::level_of(item) != level) continue;
    const Ink ink = level == analyze::HealthLevel::kWrong  ? Ink::kError
                    : level == analyze::HealthLevel::kFine ? Ink::kFaint
                                                           : Ink::kStrong;
    std::string left = paint(ink, pad_right(name_of_level(level), kIndent), console.color);
    const std::string line = fmt::format("{}: {}", item.id, printable(item.sentence));
    for (const std::string& part : wrap(line, console.width - kIndent)) {
      out += left + part + "\n";
      left = std::string(kIndent, ' ');
    }
  }
  return out;
}

std::string render_cures(const RankHealth& rank, const Console& console) {
  std::string out;
  std::set<std::string_view> told;
  for (const analyze::Finding& item : rank.items) {
    if (item.cure.empty() || analyze::level_of(item) == analyze::HealthLevel::kFine ||
        !told.insert(item.cure).second)
      continue;
    std::string left = "  ";
    for (const std::string& part : wrap(printable(item.cure), console.width - 4)) {
      out += left + part + "\n";
      left = "    ";
    }
  }
  return out.empty() ? "" : paint(Ink::kStrong, "Next time", console.color) + "\n" + out;
}

std::string render_text(const RankHealth& rank, const Console& console) {
  std::string out = paint(Ink::kStrong, verdict_of(rank), console.color) + "\n";
  out += title_of(rank.label) + "\n\n";
  for (analyze::HealthLevel level :
       {analyze::HealthLevel::kWrong, analyze::HealthLevel::kNote, analyze::HealthLevel::kFine}) {
    out += render_items(rank, level, console);
  }
  out += "\n" + render_losses(rank.losses, console);
  const std::string cures = render_cures(rank, console);
  if (!cures.empty()) out += "\n" + cures;
  return out;
}

std::string render_json(const std::vector<RankHealth>& ranks, const std::vector<ReadError>& errors) {
  JsonWriter json;
  json.begin_object();
  json.field("schema", 1);
  json.field("command", "check");
  json.key("ranks");
  json.begin_array();
  for (const RankHealth& rank : ranks) {
    json.begin_object();
    write_label(json, rank.label);
    json.field("level", name_of_level(rank.worst()));
    json.key("items");
    json.begin_array();
    for (const analyze::Finding& item : rank.items) {
      json.begin_object(JsonWriter::Layout::kInline);
      json.field("name", item.id);
      json.field("level", name_of_level(analyze::level_of(item)));
      json.field("count", item.count);
      json.field("sentence", item.sentence);
      json.field("cure", item.cure);
      json.end_object();
    }
    json.end_array();
    write_losses(json, rank.losses);
    json.end_object();
  }
  json.end_array();
  write_errors(json, errors);
  json.end_object();
  return std::move(json).finish();
}

}  // namespace

Result<Answer> run_check(const Arguments& arguments, const Context& context) {
  std::vector<RankHealth> ranks;
  const std::vector<ReadError> errors = for_each_trace(
      arguments, context,
      [&](const analyze::AnalyzedTrace& analyzed, const analyze::RankLabel& label, int64_t) -> Status {
        ranks.push_back({label, analyze::find_findings(analyzed, analyze::RuleTopic::kRecording),
                         analyzed.trace().losses});
        return Done{};
      });
  sort_by_rank(ranks);

  const auto is_wrong = [](const RankHealth& rank) { return rank.worst() == analyze::HealthLevel::kWrong; };
  const bool finding = std::any_of(ranks.begin(), ranks.end(), is_wrong);
  Answer answer{.exit_code = finding ? kExitFinding : kExitFine};
  if (!errors.empty()) answer.exit_code = kExitError;
  if (arguments.text(kFormatArgument) == "json") {
    answer.text = render_json(ranks, errors);
    return answer;
  }
  for (const RankHealth& rank : ranks) {
    if (!answer.text.empty()) answer.text += "\n";
    answer.text += render_text(rank, context.console);
  }
  return answer;
}

}  // namespace skyline::cli
