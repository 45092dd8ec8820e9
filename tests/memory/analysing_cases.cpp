// Everything that analyze finds out of a trace. Its functions throw; the doors before them are the program's
// and the server's.
#include "analyze/analyze.h"
#include "every_allocation.h"
#include "small_traces.h"

namespace skyline::faults {
namespace {

using TracePtr = std::shared_ptr<const Trace>;

std::string text_of(const analyze::Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* number = std::get_if<int64_t>(&cell)) return std::to_string(*number);
  if (const auto* number = std::get_if<double>(&cell)) return std::to_string(*number);
  return "-";
}

std::string text_of(const analyze::Table& table) {
  std::string text = std::to_string(table.rows.size()) + " rows";
  for (const std::vector<analyze::Cell>& row : table.rows) {
    for (const analyze::Cell& cell : row) text += " " + text_of(cell);
  }
  return text;
}

void add(Cases& cases, const std::string& name, std::function<std::string(Trial&)> run) {
  cases.push_back({"analyse " + name, std::move(run), true});
}

void add_tables(Cases& cases, const std::string& of, const TracePtr& trace) {
  for (const analyze::TableAnalysis& table : analyze::table_analyses()) {
    for (const std::string_view group : table.group_by) {
      const std::string name = std::string(table.name) + " by " + std::string(group) + of;
      add(cases, name, [trace, table = table.name, group](Trial& trial) {
        const analyze::TableOptions options = {.group_by = std::string(group), .step = {}};
        const Result<analyze::Table> rows = trial([&] {
          return analyze::compute_table(analyze::AnalyzedTrace(*trace), table, options,
                                        {.sort = "", .filter = "a"});
        });
        return rows.ok() ? text_of(rows.value()) : error_text(rows.error().sentence);
      });
    }
  }
}

void add_all(Cases& cases, const std::string& of, const TracePtr& trace) {
  add(cases, "figures" + of, [trace](Trial& trial) {
    const std::vector<analyze::Figure> figures =
        trial([&] { return analyze::compute_figures(analyze::AnalyzedTrace(*trace)); });
    std::string text;
    for (const analyze::Figure& figure : figures) text += std::to_string(figure.value.index());
    return text;
  });
  add(cases, "verdict" + of, [trace](Trial& trial) {
    return trial([&] { return analyze::judge(analyze::AnalyzedTrace(*trace)); }).sentence;
  });
  add(cases, "health" + of, [trace](Trial& trial) {
    const analyze::Findings items = trial([&] {
      return analyze::find_findings(analyze::AnalyzedTrace(*trace), analyze::RuleTopic::kRecording);
    });
    std::string text;
    for (const analyze::Finding& item : items) text += item.sentence;
    return text;
  });
  add(cases, "breakdown" + of, [trace](Trial& trial) {
    trial([&] { return analyze::break_down(analyze::AnalyzedTrace(*trace)); });
    return std::string("done");
  });
  add(cases, "memory at the peak" + of, [trace](Trial& trial) {
    const size_t peaks = trial([&] {
      const analyze::AnalyzedTrace analyzed(*trace);
      const std::vector<analyze::MemoryAtPeak> found = analyze::memory_at_peak(analyzed);
      for (const analyze::MemoryAtPeak& peak : found) {
        analyze::memory_by_module(analyzed, peak);
        analyze::memory_by_line(*trace, peak);
      }
      return found.size();
    });
    return std::to_string(peaks);
  });
  add_tables(cases, of, trace);
}

}  // namespace

void add_analysing_cases(Cases& cases) {
  add_all(cases, "", ingest::read_trace_bytes(kineto_text(), "t", small_pieces()).value());
  add_all(cases, " of a recording", ingest::read_trace_bytes(recording_bytes(), "t", small_pieces()).value());
}

}  // namespace skyline::faults
