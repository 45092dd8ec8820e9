#include "serve/methods/trace.h"

#include <algorithm>

#include "analyze/analyze.h"
#include "serve/messages/enums.h"
#include "serve/messages/verdict.h"
#include "serve/served/live_session.h"
#include "serve/served/opened_run.h"

namespace skyline::serve {
namespace {

using serve::to_message;  // beside those of this file

constexpr int64_t kMostRows = 10'000;  // in one answer
constexpr int64_t kUsualRows = 200;

std::string text_of(std::string_view view) { return std::string(view); }

protocol::ColumnDef to_message(const analyze::ColumnDef& column) {
  return {text_of(column.name), text_of(column.title), to_message(column.unit), text_of(column.definition)};
}

protocol::TableDef to_message(const analyze::TableAnalysis& analysis) {
  protocol::TableDef def;
  def.name = analysis.name;
  def.title = analysis.title;
  def.sentence = analysis.sentence;
  def.needs = analysis.needs;
  def.must_hold = to_message(analysis.must_hold);
  for (const analyze::ColumnDef& column : analysis.columns) def.columns.push_back(to_message(column));
  for (const std::string_view group : analysis.group_by) def.group_by.push_back(text_of(group));
  return def;
}

protocol::Figure to_message(const analyze::Figure& figure) {
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
    if (count > 0) losses.push_back({text_of(kind.name), count, sentence_of(kind, trace.losses)});
  }
  return losses;
}

template <typename Defs>
std::vector<protocol::Term> terms(const Defs& defs) {
  std::vector<protocol::Term> all;
  for (const auto& def : defs) all.push_back({text_of(def.name), text_of(def.definition)});
  return all;
}

// All but what the trace is.
protocol::Overview make_overview(const analyze::AnalyzedTrace& analyzed) {
  const Trace& trace = analyzed.trace();
  protocol::Overview overview;
  overview.verdict = to_message(analyzed.get<analyze::answer>());
  for (const analyze::Figure& figure : analyze::compute_figures(analyzed))
    overview.figures.push_back(to_message(figure));
  overview.losses = losses_of(trace);
  for (const analyze::Finding& item : analyze::find_findings(analyzed, analyze::RuleTopic::kRecording)) {
    overview.health.push_back(
        {text_of(item.id), to_message(analyze::level_of(item)), item.count, item.sentence, item.cure});
  }
  for (const Step& step : trace.steps) {
    overview.steps.push_back({step.number, analyze::minus(step.start_ns, trace.first_ns),
                              analyze::minus(step.end_ns, trace.first_ns)});
  }
  for (const auto& [name, value] : trace.info.metadata) overview.facts.push_back({name, value});
  return overview;
}

// Pages ask for a table window by window: it is among the results of the trace, and so is the order of its
// rows for every way to sort and filter them. Wrong words are as well.
struct TableKey {
  using Value = Result<analyze::OpenTable>;
  std::string name, group_by;
  std::optional<int64_t> step;
  auto operator<=>(const TableKey&) const = default;

  size_t held_bytes() const { return name.size() + group_by.size(); }
  static size_t bytes_of(const TableKey& key, const Value& table) {
    return key.held_bytes() + (table.ok() ? table.value().held_bytes() : table.error().sentence.size());
  }
};

struct OrderKey {
  using Value = Result<std::vector<uint32_t>>;
  TableKey table;
  std::string sort, filter;
  auto operator<=>(const OrderKey&) const = default;

  static size_t bytes_of(const OrderKey& key, const Value& order) {
    return key.table.held_bytes() + key.sort.size() + key.filter.size() +
           (order.ok() ? order.value().size() * sizeof(uint32_t) : order.error().sentence.size());
  }
};

}  // namespace

Result<protocol::Hello> answer_hello(const Context& context, const protocol::Nothing&) {
  protocol::Hello hello;
  hello.protocol = protocol::kVersion;
  hello.program = context.program;
  hello.command = context.command;
  hello.resume_secret = context.resume_secret;
  hello.door = context.session == nullptr ? protocol::Door::kTraces : protocol::Door::kSession;
  hello.traces = context.traces.summaries();
  for (const analyze::TableAnalysis& analysis : analyze::table_analyses())
    hello.tables.push_back(to_message(analysis));
  hello.phases = terms(analyze::kPhases);
  hello.memory_roles = terms(analyze::kMemoryRoles);
  for (uint8_t kind = 0; kind < analyze::TimelineKinds::kCount; ++kind) {
    hello.kinds.push_back(text_of(analyze::TimelineKinds::name(kind)));
  }
  if (context.session != nullptr) hello.session = context.session->about();
  return hello;
}

Result<protocol::TraceSummary> answer_open_trace(const Context& context,
                                                 const protocol::TraceParams& params) {
  SKYLINE_TRY(const OpenedTracePtr opened, find_trace(context, params.trace));
  return context.traces.summary(opened->id);
}

Result<protocol::Run> answer_run(const Context& context, const protocol::Nothing&) {
  if (context.run == nullptr)
    return Error{"these traces are not compared; open several files with skyline open"};
  return context.run->ask();
}

Result<protocol::Overview> answer_overview(const Context& context, const protocol::TraceParams& params) {
  SKYLINE_TRY(const OpenedTracePtr opened, find_trace(context, params.trace));
  protocol::Overview overview = opened->analyzed->get<make_overview>();
  overview.trace =
      context.traces.summary(opened->id);  // anew: its place in time changes when others are opened
  return overview;
}

Result<protocol::Table> answer_table(const Context& context, const protocol::TableParams& params) {
  SKYLINE_TRY(const OpenedTracePtr opened, find_trace(context, params.trace));
  analyze::TableOptions options;
  options.group_by = params.group_by.value_or("");
  options.step = params.step;
  const analyze::TableQuery query = {
      .sort = params.sort.value_or(""), .filter = params.filter.value_or(""), .top = 0};
  Cache& results = opened->analyzed->results();
  const TableKey key = {params.name, options.group_by, options.step};
  const std::shared_ptr<const TableKey::Value> whole =
      results.get(key, [&] { return analyze::open_table(*opened->analyzed, params.name, options); });
  if (!whole->ok()) return whole->error();
  const analyze::OpenTable& table = whole->value();
  const std::shared_ptr<const OrderKey::Value> order =
      results.get(OrderKey{key, query.sort, query.filter}, [&] { return table.select(query); });
  if (!order->ok()) return order->error();

  protocol::Table answer;
  for (const analyze::ColumnDef& column : table.columns()) answer.columns.push_back(to_message(column));
  if (query.sort.empty()) answer.indent_by = table.indent_by();  // sorted, it is no tree any more
  const int64_t count = static_cast<int64_t>(order->value().size());
  answer.row_count = count;
  const int64_t begin = std::clamp<int64_t>(params.offset.value_or(0), 0, count);
  const int64_t limit = std::clamp<int64_t>(params.limit.value_or(kUsualRows), 0, kMostRows);
  for (int64_t i = begin; i < std::min(count, begin + limit); ++i)
    answer.rows.push_back(table.row(order->value()[static_cast<size_t>(i)]));
  return answer;
}

}  // namespace skyline::serve
