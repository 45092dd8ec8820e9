#include "report/analysis_json.h"

#include "report/analysis_json_batch.h"
#include "report/analysis_json_memory.h"
#include "report/analysis_json_parts.h"
#include "report/analysis_json_time.h"
#include "report/report_entries.h"

namespace skyline::report {
namespace {

using Layout = JsonWriter::Layout;

void write_run(JsonWriter& json, const session::ProfileResult& result,
               const session::ProfiledProject& project) {
  json.begin_object();
  json.field("entry_point", session::in_project(project.entry_point, project.project_root));
  json.field("project_root", project.project_root);
  json.field("source_hash", result.source_hash);
  json.key("files");
  json.begin_array();
  for (const session::SourceFileHash& file : result.loaded.files) {
    json.begin_object(Layout::kInline);
    json.field("path", session::in_project(file.path, project.project_root));
    json.field("sha256", file.sha256);
    json.end_object();
  }
  json.end_array();
  json.field("batch_size", result.batch_size);
  json.field("entry_point_batch_size", result.loaded.batch_size);
  json.field("device", result.loaded.device);
  json.field("in_fresh_process", result.in_fresh_process);
  json.field("is_complete", result.is_complete);
  json.key("environment");
  json.begin_object();
  for (const auto& [key, value] : environment_facts(result)) json.field(key, value);
  json.end_object();
  json.end_object();
}

void write_iteration(JsonWriter& json, const session::ProfileResult& result) {
  const session::IterationTime& time = result.measured->time;
  json.begin_object();
  json.field("median_ns", time.median_ns);
  write_integers(json, "interval_ns", {time.low_ns, time.high_ns});
  write_integers(json, "quartiles_ns", {time.quarter_ns, time.three_quarters_ns});
  json.field("count", time.count);
  json.field("is_settled", result.is_timed);
  write_integers(json, "durations_ns", result.measured->durations_ns);
  write_integers(json, "warm_up_ns", result.warm_up_ns);
  json.field("compile_ns", result.compile_ns);
  json.field("spent_ns", result.spent_ns);
  json.field("samples_per_second", result.samples_per_second());
  json.field("tokens", result.tokens);
  json.key("tokens_per_second");
  if (result.tokens > 0) {
    json.value(result.tokens_per_second());
  } else {
    json.null();
  }
  json.field("resident_bytes", result.measured->resident_bytes);
  json.end_object();
}

void write_capacity(JsonWriter& json, const session::MemoryCapacity& capacity) {
  json.begin_object(Layout::kInline);
  json.field("bytes", capacity.bytes);
  json.field("source", capacity.source);
  json.end_object();
}

// Writes the value if there is one.
template <typename Write>
void write_if(JsonWriter& json, std::string_view name, bool is_known, Write write) {
  json.key(name);
  if (is_known) {
    write();
  } else {
    json.null();
  }
}

}  // namespace

std::string analysis_json(const session::ProfileResult& result, const session::ProfiledProject& project) {
  const std::string& root = project.project_root;
  const bool is_measured = result.measured.has_value();
  JsonWriter json;
  json.begin_object();
  json.field("schema", "skyline.analysis");
  json.field("version", kAnalysisVersion);
  json.field("producer", project.producer);
  json.key("run");
  write_run(json, result, project);
  write_if(json, "iteration", is_measured, [&] { write_iteration(json, result); });
  write_if(json, "time", is_measured && result.time != nullptr,
           [&] { write_time_breakdown(json, *result.time, *result.measured, root); });
  write_if(json, "memory", result.memory != nullptr,
           [&] { write_memory_breakdown(json, *result.memory, root); });
  json.key("capacity");
  write_capacity(json, result.capacity);
  json.key("batch_sizes");
  write_batch_sizes(json, result, root);
  json.end_object();
  return std::move(json).finish();
}

}  // namespace skyline::report
