// How time and memory depend on the batch size, as JSON.
#include "report/analysis_json_batch.h"

#include <algorithm>

#include "report/analysis_json_parts.h"
#include "session/session.h"

namespace skyline::report {
namespace {

using Layout = JsonWriter::Layout;

void write_sample(JsonWriter& json, const session::BatchMeasurement& sample) {
  json.begin_object(Layout::kInline);
  json.field("batch_size", sample.batch_size);
  json.field("median_ns", sample.time.median_ns);
  json.field("learnt_ns", session::time_sample(sample).value);
  write_integers(json, "interval_ns", {sample.time.low_ns, sample.time.high_ns});
  json.field("peak_bytes", sample.peak_bytes);
  json.field("resident_bytes", sample.resident_bytes);
  write_integers(json, "durations_ns", sample.durations_ns);
  json.end_object();
}

void write_page_faults(JsonWriter& json, const session::ProfileResult& result) {
  const auto faults = result.samples.empty() ? std::nullopt : session::page_faults_of(result.samples.front());
  if (!faults) return json.null();
  json.begin_object(Layout::kInline);
  json.field("per_iteration", faults->per_iteration);
  json.field("kept_per_iteration", faults->kept_per_iteration);
  json.field("median_ns", faults->as_run_ns);
  json.field("kept_median_ns", faults->kept_ns);
  json.end_object();
}

// 1, 2, 3, 4, 6, 8, 12, … as far as the models go.
std::vector<int64_t> grid(const session::BatchModels& models) {
  const int64_t largest = models.time_ns.largest_sampled();
  const int64_t last = std::clamp(models.largest.batch_size, largest, session::kFarthestFactor * largest);
  std::vector<int64_t> sizes;
  for (int64_t size = 1; size <= last; size *= 2) {
    sizes.push_back(size);
    if (size >= 2 && size + size / 2 <= last) sizes.push_back(size + size / 2);
  }
  if (sizes.back() != last) sizes.push_back(last);
  return sizes;
}

void write_prediction(JsonWriter& json, int64_t batch_size, const session::BatchPrediction& prediction) {
  json.begin_object();
  json.field("batch_size", batch_size);
  json.field("value", prediction.value);
  json.field("low", prediction.low);
  json.field("high", prediction.high);
  json.field("is_extrapolated", prediction.is_extrapolated);
  json.end_object();
}

void write_model(JsonWriter& json, std::string_view name, const session::BatchModel& model,
                 const std::vector<int64_t>& sizes) {
  json.key(name);
  json.begin_object();
  json.field("form", name_of(model.form()));
  json.key("doubt");
  if (model.doubt() == session::BatchDoubt::kNone) {
    json.null();
  } else {
    json.value(sentence_of(model.doubt()));
  }
  json.field("held_out_error", model.held_out_error());
  json.field("smallest_sampled", model.smallest_sampled());
  json.field("largest_sampled", model.largest_sampled());
  json.key("predictions");
  json.begin_array(Layout::kInline);
  for (const int64_t size : sizes) write_prediction(json, size, model.predict(size));
  json.end_array();
  json.end_object();
}

void write_models(JsonWriter& json, const session::BatchModels& models) {
  const std::vector<int64_t> sizes = grid(models);
  json.begin_object();
  write_model(json, "time_ns", models.time_ns, sizes);
  write_model(json, "peak_bytes", models.peak_bytes, sizes);
  write_model(json, "resident_bytes", models.resident_bytes, sizes);
  json.key("largest_batch");
  json.begin_object(Layout::kInline);
  json.field("batch_size", models.largest.batch_size);
  json.field("is_reached", models.largest.is_reached);
  json.field("is_extrapolated", models.largest.is_extrapolated);
  json.field("is_verified", models.is_verified);
  json.end_object();
  json.key("throughput_peak");
  json.begin_object(Layout::kInline);
  json.field("batch_size", models.peak.batch_size);
  json.field("samples_per_second", models.peak.per_second);
  json.field("is_extrapolated", models.peak.is_extrapolated);
  json.field("knee_batch_size", models.peak.knee_batch_size);
  json.end_object();
  json.end_object();
}

void write_literal(JsonWriter& json, const session::BatchLiteral& literal, const std::string& project_root) {
  json.begin_object(Layout::kInline);
  json.field("path", session::in_project(literal.path, project_root));
  json.field("value", literal.value);
  json.field("begin_byte", literal.begin_byte);
  json.field("end_byte", literal.end_byte);
  json.field("line", literal.line);
  json.field("begin_column", literal.begin_column);
  json.field("end_column", literal.end_column);
  json.field("file_hash", literal.file_hash);
  json.end_object();
}

}  // namespace

void write_batch_sizes(JsonWriter& json, const session::ProfileResult& result,
                       const std::string& project_root) {
  json.begin_object();
  json.key("samples");
  json.begin_array();
  for (const session::BatchMeasurement& sample : result.samples) write_sample(json, sample);
  json.end_array();
  json.key("page_faults");
  write_page_faults(json, result);
  json.key("failures");
  json.begin_array();
  for (const session::BatchFailure& failure : result.failures) {
    json.begin_object(Layout::kInline);
    json.field("batch_size", failure.batch_size);
    json.field("sentence", failure.sentence);
    json.end_object();
  }
  json.end_array();
  json.key("models");
  if (result.models) {
    write_models(json, *result.models);
  } else {
    json.null();
  }
  json.key("literal");
  if (result.loaded.literal) {
    write_literal(json, *result.loaded.literal, project_root);
  } else {
    json.null();
  }
  json.field("no_literal", result.loaded.no_literal);
  json.end_object();
}

}  // namespace skyline::report
