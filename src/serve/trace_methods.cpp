#include "serve/trace_methods.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyze/analyze.h"
#include "serve/live_session.h"

namespace skyline {
namespace {

constexpr int64_t kMostRows = 10'000;  // in one answer
constexpr int64_t kUsualRows = 200;

protocol::Unit to_message(Unit unit) { return static_cast<protocol::Unit>(unit); }

std::string text_of(std::string_view view) { return std::string(view); }

protocol::ColumnDef to_message(const ColumnDef& column) {
  return {text_of(column.name), text_of(column.title), to_message(column.unit), text_of(column.definition)};
}

protocol::TableDef to_message(const TableAnalysis& analysis) {
  protocol::TableDef def;
  def.name = analysis.name;
  def.sentence = analysis.sentence;
  def.needs = analysis.needs;
  for (const ColumnDef& column : analysis.columns) def.columns.push_back(to_message(column));
  for (const std::string_view group : analysis.group_by) def.group_by.push_back(text_of(group));
  return def;
}

protocol::Verdict to_message(const Verdict& verdict) {
  protocol::Verdict message;
  message.waits_for = static_cast<protocol::WaitsFor>(verdict.waits_for);
  message.share = verdict.share;
  message.sentence = verdict.sentence;
  message.judged_ns = verdict.judged_ns;
  for (const VerdictPart& part : verdict.parts) {
    message.parts.push_back({text_of(part.name), text_of(part.definition), part.time_ns});
  }
  return message;
}

protocol::Figure to_message(const Figure& figure) {
  protocol::Figure message;
  message.name = figure.def->name;
  message.unit = to_message(figure.def->unit);
  message.definition = figure.def->definition;
  if (const auto* whole = std::get_if<int64_t>(&figure.value)) message.value = static_cast<double>(*whole);
  if (const auto* number = std::get_if<double>(&figure.value)) message.value = *number;
  return message;
}

std::vector<protocol::Loss> losses_of(const Trace& trace) {
  std::vector<protocol::Loss> losses;
  for (const LossKind& kind : kLosses) {
    const int64_t count = static_cast<int64_t>(trace.losses[kind.loss].count);
    if (count > 0) losses.push_back({text_of(kind.name), count, text_of(kind.sentence)});
  }
  return losses;
}

template <typename Defs>
std::vector<protocol::Term> terms(const Defs& defs) {
  std::vector<protocol::Term> all;
  for (const auto& def : defs) all.push_back({text_of(def.name), text_of(def.definition)});
  return all;
}

protocol::Overview make_overview(const OpenedTrace& opened) {
  const Trace& trace = *opened.trace;
  protocol::Overview overview;
  overview.trace = summarize(opened);
  overview.verdict = to_message(judge(trace));
  for (const Figure& figure : compute_figures(trace)) overview.figures.push_back(to_message(figure));
  overview.losses = losses_of(trace);
  for (const HealthItem& item : examine(trace)) {
    overview.health.push_back({text_of(item.name), static_cast<protocol::HealthLevel>(item.level), item.count,
                               item.sentence, item.cure});
  }
  for (const Step& step : trace.steps) {
    overview.steps.push_back({step.number, step.start_ns - trace.first_ns, step.end_ns - trace.first_ns});
  }
  for (const auto& [name, value] : trace.info.metadata) overview.facts.push_back({name, value});
  return overview;
}

// The whole table, sorted and filtered, is kept: pages ask for it window by window.
Result<Table> compute(const Trace& trace, const protocol::TableParams& params) {
  TableOptions options;
  options.group_by = params.group_by.value_or("");
  options.step = params.step;
  return compute_table(trace, params.name, options,
                       {.sort = params.sort.value_or(""), .filter = params.filter.value_or("")});
}

}  // namespace

Result<protocol::Hello> answer_hello(const Desk& desk, const protocol::Nothing&) {
  protocol::Hello hello;
  hello.protocol = protocol::kVersion;
  hello.program = desk.program;
  hello.door = desk.session == nullptr ? protocol::Door::kTraces : protocol::Door::kSession;
  for (const OpenedTracePtr& opened : desk.traces.all()) hello.traces.push_back(summarize(*opened));
  for (const TableAnalysis& analysis : table_analyses()) hello.tables.push_back(to_message(analysis));
  hello.phases = terms(kPhases);
  hello.memory_roles = terms(kMemoryRoles);
  for (const CategoryTraits& category : kCategories) hello.categories.push_back(text_of(category.name));
  if (desk.session != nullptr) hello.session = desk.session->about();
  return hello;
}

Result<protocol::Overview> answer_overview(const Desk& desk, const protocol::TraceParams& params) {
  SKYLINE_TRY(const OpenedTracePtr opened, find_trace(desk, params.trace));
  return *opened->kept.get<protocol::Overview>("overview", [&] { return make_overview(*opened); });
}

Result<protocol::Table> answer_table(const Desk& desk, const protocol::TableParams& params) {
  SKYLINE_TRY(const OpenedTracePtr opened, find_trace(desk, params.trace));
  const std::string key = fmt::format("table\n{}\n{}\n{}\n{}\n{}", params.name, params.group_by.value_or(""),
                                      params.step ? std::to_string(*params.step) : "",
                                      params.sort.value_or(""), params.filter.value_or(""));
  const auto result = opened->kept.get<Result<Table>>(key, [&] { return compute(*opened->trace, params); });
  if (!result->ok()) return result->error();
  const Table& whole = result->value();
  protocol::Table answer;
  for (const ColumnDef& column : whole.columns) answer.columns.push_back(to_message(column));
  answer.indent_by = whole.indent_by;
  const int64_t count = static_cast<int64_t>(whole.rows.size());
  answer.row_count = count;
  const int64_t begin = std::clamp<int64_t>(params.offset.value_or(0), 0, count);
  const int64_t limit = std::clamp<int64_t>(params.limit.value_or(kUsualRows), 0, kMostRows);
  answer.rows.assign(whole.rows.begin() + begin, whole.rows.begin() + std::min(count, begin + limit));
  return answer;
}

}  // namespace skyline
