#include "cli/views/figure_view.h"
#include "cli/views/losses_view.h"
#include "cli/views/report.h"
#include "cli/views/table_view.h"
#include "cli/views/verdict_view.h"

namespace skyline {
namespace {

void write_timings(JsonWriter& json, const RankReport& rank) {
  json.key("timings");
  json.begin_object(JsonWriter::Layout::kInline);
  json.field("ingest_ns", rank.ingest_ns);
  json.field("figures_ns", rank.figures_ns);
  json.end_object();
}

void write_table(JsonWriter& json, std::string_view name, const Table& table) {
  json.key(name);
  write_rows(json, table);
}

void write_rank(JsonWriter& json, const RankReport& rank, bool with_timings) {
  json.begin_object();
  write_label(json, rank.label);
  write_verdict(json, rank.verdict);
  write_figures(json, rank.figures);
  write_table(json, "steps", rank.steps);
  write_table(json, "ops", rank.ops);
  write_table(json, "kernels", rank.kernels);
  write_losses(json, rank.losses);
  if (with_timings) write_timings(json, rank);
  json.end_object();
}

}  // namespace

std::string render_report_json(const std::vector<RankReport>& ranks, const std::vector<ReadError>& errors,
                               bool with_timings) {
  JsonWriter json;
  json.begin_object();
  json.field("schema", 1);
  json.field("command", "report");
  json.key("ranks");
  json.begin_array();
  for (const RankReport& rank : ranks) write_rank(json, rank, with_timings);
  json.end_array();
  write_errors(json, errors);
  json.end_object();
  return std::move(json).finish();
}

}  // namespace skyline
