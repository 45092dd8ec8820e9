#include "cli/views/report_json.h"

#include <fmt/format.h>

#include "cli/views/figure_view.h"
#include "cli/views/losses_view.h"
#include "cli/views/table_view.h"
#include "cli/views/verdict_view.h"

namespace skyline::cli {
namespace {

void write_timings(JsonWriter& json, const RankDetail& rank) {
  json.key("timings");
  json.begin_object(JsonWriter::Layout::kInline);
  json.field("ingest_ns", rank.ingest_ns);
  json.field("digest_ns", rank.digest_ns);
  json.end_object();
}

void write_table(JsonWriter& json, std::string_view name, const analyze::Table& table) {
  json.key(name);
  write_rows(json, table);
}

void write_place(JsonWriter& json, const analyze::FindingPlace& place) {
  json.key("place");
  json.begin_object(JsonWriter::Layout::kInline);
  json.field("file", place.file);
  json.field("line", place.line);
  json.field("module", place.module);
  json.field("op", place.op);
  json.end_object();
}

std::string_view word_of(analyze::Confidence confidence) {
  if (confidence == analyze::Confidence::kHigh) return "high";
  return confidence == analyze::Confidence::kMedium ? "medium" : "low";
}

// The best first; what could not be judged for want of data behind them, under a key of its own.
void write_findings(JsonWriter& json, const analyze::Advice& advice) {
  json.key("findings");
  json.begin_array();
  for (const analyze::Finding& finding : advice.found) {
    json.begin_object();
    json.field("id", finding.id);
    json.field("severity",
               finding.severity == analyze::FindingSeverity::kNote ? std::string_view("note") : "advice");
    json.field("sentence", finding.sentence);
    json.field("cure", finding.cure);
    json.field("gain_ns", finding.gain ? finding.gain->time_ns : int64_t{0});
    json.field("confidence", word_of(finding.confidence));
    json.field("count", finding.count);
    write_place(json, finding.place);
    json.key("figures");
    json.begin_array(JsonWriter::Layout::kInline);
    for (const std::string_view figure : finding.evidence.figures) json.value(figure);
    json.end_array();
    json.field("page", fmt::format("docs/findings/{}.md", finding.doc_page));
    json.end_object();
  }
  json.end_array();
  json.key("not_judged");
  json.begin_array();
  for (const analyze::Finding& finding : advice.cannot_judge) {
    json.begin_object(JsonWriter::Layout::kInline);
    json.field("id", finding.id);
    json.field("sentence", finding.sentence);
    json.field("cure", finding.cure);
    json.end_object();
  }
  json.end_array();
}

void write_rank(JsonWriter& json, const analyze::RankDigest& digest, const RankDetail& detail,
                bool with_timings) {
  json.begin_object();
  write_label(json, digest.label);
  write_verdict(json, digest.verdict);
  write_findings(json, digest.advice);
  write_figures(json, digest.figures);
  write_table(json, "steps", detail.steps);
  write_table(json, "ops", detail.ops);
  write_table(json, "kernels", detail.kernels);
  write_losses(json, detail.losses);
  if (with_timings) write_timings(json, detail);
  json.end_object();
}

// What the ranks say together; `by_need` lists positions in "ranks".
void write_run(JsonWriter& json, const analyze::Run& run) {
  json.key("run");
  json.begin_object();
  json.field("is_one_run", run.is_one_run());
  json.field("sentence", run.sentence());
  json.key("by_need");
  json.begin_array(JsonWriter::Layout::kInline);
  for (const size_t rank : run.by_need()) json.value(static_cast<int64_t>(rank));
  json.end_array();
  json.key("ranks");
  json.begin_array();
  for (size_t i = 0; i < run.ranks().size(); ++i) {
    const analyze::RankDigest& rank = run.ranks()[i];
    json.begin_object(JsonWriter::Layout::kInline);
    write_label(json, rank.label);
    json.field("host", rank.host);
    json.field("offset_ns", run.offset_ns(i));
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace

std::string render_report_json(const Report& report, const std::vector<ReadError>& errors,
                               bool with_timings) {
  JsonWriter json;
  json.begin_object();
  json.field("schema", 1);
  json.field("command", "report");
  json.key("ranks");
  json.begin_array();
  for (size_t i = 0; i < report.details.size(); ++i) {
    write_rank(json, report.run.ranks()[i], report.details[i], with_timings);
  }
  json.end_array();
  if (report.details.size() > 1) write_run(json, report.run);
  write_errors(json, errors);
  json.end_object();
  return std::move(json).finish();
}

}  // namespace skyline::cli
