#include "cli/commands/show_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyze/analyze.h"
#include "cli/commands/folded_view.h"
#include "cli/setup/trace_reading.h"
#include "cli/terminal/ink.h"
#include "cli/terminal/nearest.h"
#include "cli/terminal/printable.h"
#include "cli/terminal/units.h"
#include "cli/views/losses_view.h"
#include "cli/views/table_view.h"

namespace skyline::cli {
namespace {

constexpr size_t kTextRows = 30;

// What is kept of one trace.
struct RankTable {
  analyze::RankLabel label;
  analyze::Table table;
  LossCounts losses;
};

using Names = std::vector<std::string_view>;

// `complaint` ends before the words that would have been right.
Error wrong_word(const std::string& complaint, std::string_view word, const Names& known) {
  const std::string near = join_choices(nearest(word, known));
  if (!near.empty()) return {fmt::format("{}; did you mean {}?", complaint, near)};
  return {fmt::format("{}; it can be {}", complaint, join_choices(known))};
}

bool contains(const Names& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Names names_of_tables() {
  Names names;
  for (const analyze::TableAnalysis& table : analyze::table_analyses()) names.push_back(table.name);
  return names;
}

// Wrong words are told before a large trace is read. Gives the table meant.
Result<const analyze::TableAnalysis*> check_words(const Arguments& arguments) {
  const std::string& table = arguments.text(kTableArgument);
  const analyze::TableAnalysis* analysis = analyze::find_table(table);
  if (analysis == nullptr) {
    return wrong_word(fmt::format("there is no table '{}'", table), table, names_of_tables());
  }
  Names columns;
  for (const analyze::ColumnDef& column : analysis->columns) columns.push_back(column.name);
  std::string_view sort = arguments.text(kSortArgument);
  if (sort.starts_with('+') || sort.starts_with('-')) sort.remove_prefix(1);
  if (!sort.empty() && !contains(columns, sort)) {
    return wrong_word(fmt::format("{} has no column '{}'", analysis->name, sort), sort, columns);
  }
  const Names groups(analysis->group_by.begin(), analysis->group_by.end());
  const std::string& group_by = arguments.text(kGroupByArgument);
  if (!group_by.empty() && !contains(groups, group_by)) {
    const std::string complaint = fmt::format("{} cannot be grouped by '{}'", analysis->name, group_by);
    return wrong_word(complaint, group_by, groups);
  }
  return analysis;
}

analyze::TableQuery query_of(const Arguments& arguments) {
  const int64_t default_top = arguments.text(kFormatArgument) == "text" ? kTextRows : 0;
  const int64_t top = arguments.number(kTopArgument).value_or(default_top);
  return {arguments.text(kSortArgument), arguments.text(kFilterArgument), static_cast<size_t>(top)};
}

// Whether a column holds nothing but zeros and missing numbers. The first column is never one.
bool is_zero_column(const analyze::Table& table, size_t column) {
  if (column == 0 || table.rows.empty() || table.columns[column].unit == analyze::Unit::kText) return false;
  return std::all_of(table.rows.begin(), table.rows.end(), [&](const std::vector<analyze::Cell>& row) {
    const analyze::Cell& cell = row[column];
    return std::holds_alternative<std::monostate>(cell) || cell == analyze::Cell(int64_t{0}) ||
           cell == analyze::Cell(0.0);
  });
}

// What is not known at all is no zero.
std::string zero_columns(const analyze::Table& table) {
  const auto is_known = [&](size_t column) {
    return std::any_of(table.rows.begin(), table.rows.end(), [&](const std::vector<analyze::Cell>& row) {
      return !std::holds_alternative<std::monostate>(row[column]);
    });
  };
  std::string titles;
  for (size_t i = 0; i < table.columns.size(); ++i) {
    if (is_zero_column(table, i) && is_known(i) && !is_shown_as_indentation(table, i))
      titles += fmt::format("{}{}", titles.empty() ? "" : ", ", table.columns[i].title);
  }
  return titles;
}

// People get by without them; csv and json keep every column.
analyze::Table without_zero_columns(const analyze::Table& table) {
  analyze::Table shown;
  shown.indent_by = table.indent_by;
  shown.rows.resize(table.rows.size());
  for (size_t i = 0; i < table.columns.size(); ++i) {
    if (is_zero_column(table, i) && !is_shown_as_indentation(table, i)) continue;
    shown.columns.push_back(table.columns[i]);
    for (size_t row = 0; row < table.rows.size(); ++row) shown.rows[row].push_back(table.rows[row][i]);
  }
  return shown;
}

std::string faint_lines(std::string_view text, const Console& console) {
  std::string out;
  for (const std::string& line : wrap(text, console.width))
    out += paint(Ink::kFaint, line, console.color) + "\n";
  return out;
}

std::string render_text(const std::vector<RankTable>& ranks, std::string_view nothing,
                        const Console& console) {
  std::string out;
  for (const RankTable& rank : ranks) {
    if (!out.empty()) out += "\n";
    if (ranks.size() > 1) out += paint(Ink::kStrong, title_of(rank.label), console.color) + "\n";
    out += render_table(without_zero_columns(rank.table), console);
    if (rank.table.rows.empty()) out += faint_lines(nothing, console);
    const std::string zeros = zero_columns(rank.table);
    if (!rank.table.note.empty()) out += faint_lines(rank.table.note, console);
    if (!zeros.empty()) out += faint_lines(fmt::format("All zero: {}", zeros), console);
    if (rank.table.left_out > 0) {
      const std::string rest = format_counted(rank.table.left_out, "further row", "further rows");
      out += faint_lines(fmt::format("{}; --top 0 shows all.", rest), console);
    }
    out += "\n" + render_losses(rank.losses, console);
  }
  return out;
}

std::string render_csv(const std::vector<RankTable>& ranks, const Console& console) {
  std::string out;
  for (const RankTable& rank : ranks) {
    if (out.empty()) out = csv_header(rank.table);
    out += csv_rows(rank.table, rank.label.rank);
    // Comma-separated values have no place for it.
    const std::string losses = losses_sentence(rank.losses);
    if (!losses.empty()) console.complain(fmt::format("losses in {}: {}", title_of(rank.label), losses));
  }
  return out;
}

std::string render_json(const analyze::TableAnalysis& analysis, const std::vector<RankTable>& ranks,
                        const std::vector<ReadError>& errors) {
  JsonWriter json;
  json.begin_object();
  json.field("schema", 1);
  json.field("command", "show");
  json.field("table", analysis.name);
  json.key("columns");
  write_columns(json, ranks.empty() ? analysis.columns : ranks.front().table.columns);
  json.key("ranks");
  json.begin_array();
  for (const RankTable& rank : ranks) {
    json.begin_object();
    write_label(json, rank.label);
    json.key("rows");
    write_rows(json, rank.table);
    json.field("left_out", rank.table.left_out);
    if (!rank.table.note.empty()) json.field("note", rank.table.note);
    write_losses(json, rank.losses);
    json.end_object();
  }
  json.end_array();
  write_errors(json, errors);
  json.end_object();
  return std::move(json).finish();
}

}  // namespace

std::string summary_of_show() {
  std::vector<std::string> titles;
  for (const analyze::TableAnalysis& table : analyze::table_analyses()) {
    std::string title(table.title);
    title.front() = static_cast<char>(title.front() - 'A' + 'a');
    titles.push_back(std::move(title));
  }
  return fmt::format("A table of {}, to your liking.", join_choices({titles.begin(), titles.end()}));
}

std::string help_of_tables() {
  return fmt::format("{}; skyline explain TABLE tells its columns", join_choices(names_of_tables()));
}

std::string help_of_groups() {
  std::vector<std::string> tables;
  for (const analyze::TableAnalysis& table : analyze::table_analyses()) {
    if (table.group_by.size() < 2) continue;
    const Names groups(table.group_by.begin(), table.group_by.end());
    tables.push_back(fmt::format("{}: {}", table.name, join_choices(groups)));
  }
  return fmt::format("{}", fmt::join(tables, "; "));
}

Result<Answer> run_show(const Arguments& arguments, const Context& context) {
  SKYLINE_TRY(const analyze::TableAnalysis* const analysis, check_words(arguments));
  const std::string& format = arguments.text(kFormatArgument);
  if (format == "folded") return run_show_folded(arguments, context);
  const analyze::TableQuery query = query_of(arguments);
  const analyze::TableOptions options = {arguments.text(kGroupByArgument), arguments.number(kStepArgument),
                                         arguments.has(kRangesArgument)};
  const std::optional<int64_t> rank = arguments.number(kRankArgument);

  std::vector<RankTable> ranks;
  std::vector<int64_t> seen;
  const std::vector<ReadError> errors = for_each_trace(
      arguments, context,
      [&](const analyze::AnalyzedTrace& analyzed, const analyze::RankLabel& label, int64_t) -> Status {
        seen.push_back(label.rank);
        if (rank && label.rank != *rank) return Done{};
        SKYLINE_TRY(analyze::Table table, analyze::compute_table(analyzed, analysis->name, options, query));
        ranks.push_back({label, std::move(table), analyzed.trace().losses});
        return Done{};
      });
  if (rank && ranks.empty() && errors.empty()) {
    std::sort(seen.begin(), seen.end());
    return Error{
        fmt::format("there is no rank {} in these traces; they hold {}", *rank, fmt::join(seen, ", "))};
  }
  sort_by_rank(ranks);

  Answer answer{.exit_code = exit_code_of(errors)};
  if (format == "json") {
    answer.text = render_json(*analysis, ranks, errors);
  } else if (format == "csv") {
    answer.text = render_csv(ranks, context.console);
  } else {
    const bool selects = !query.filter.empty() || options.step;
    const std::string nothing =
        selects ? "No rows match." : fmt::format("No rows: this needs {}.", analysis->needs);
    answer.text = render_text(ranks, nothing, context.console);
  }
  return answer;
}

}  // namespace skyline::cli
