#include "cli/views/evaluation_view.h"

#include <fmt/format.h>

#include <cmath>

#include "base/json_writer.h"
#include "cli/terminal/printable.h"
#include "cli/terminal/text_table.h"
#include "cli/terminal/units.h"
#include "cli/views/batch_view.h"

namespace skyline::cli {
namespace {

// "+1.3 %", "–" where it is not known.
std::string format_error(double error) {
  return std::isfinite(error) ? fmt::format("{:+.1f} %", 100 * error) : "–";
}
std::string format_amount(double share) {
  return std::isfinite(share) ? fmt::format("{:.1f} %", 100 * share) : "–";
}

std::string render_pairs(const std::vector<session::PairErrors>& pairs, const Console& console) {
  TextTable table({{"Start", Align::kRight},
                   {"Target", Align::kRight},
                   {"Samples/s", Align::kRight},
                   {"Predicted", Align::kRight},
                   {"Error", Align::kRight},
                   {"Peak memory", Align::kRight},
                   {"Predicted", Align::kRight},
                   {"Error", Align::kRight},
                   {"", Align::kLeft}});
  for (const session::PairErrors& pair : pairs) {
    table.add_row({format_count(pair.start), format_count(pair.target), format_rate(pair.measured_per_second),
                   format_rate(pair.predicted_per_second), format_error(pair.errors.throughput),
                   format_bytes(pair.measured_bytes), format_bytes(pair.predicted_bytes),
                   format_error(pair.errors.memory), pair.is_inside ? "" : "extrapolated"});
  }
  return table.render(console.width, console.color);
}

std::string describe_models(const session::EvaluateResult& result) {
  std::string text;
  for (const session::StartModels& start : result.starts) {
    std::string sizes;
    for (const session::BatchSample& sample : start.time_ns.samples())
      sizes += (sizes.empty() ? "" : ", ") + format_count(sample.batch_size);
    text += fmt::format("Started at {}: ran batch {}; model of time: {}.\n", format_count(start.batch_size),
                        sizes, name_of(start.time_ns.form()));
  }
  return text;
}

void write_errors(JsonWriter& json, std::string_view name, const session::CostErrors& errors) {
  json.key(name);
  json.begin_object(JsonWriter::Layout::kInline);
  json.field("throughput", errors.throughput);
  json.field("memory", errors.memory);
  json.end_object();
}

void write_pair(JsonWriter& json, const session::PairErrors& pair) {
  json.begin_object(JsonWriter::Layout::kInline);
  json.field("start", pair.start);
  json.field("target", pair.target);
  json.field("measured_per_second", pair.measured_per_second);
  json.field("predicted_per_second", pair.predicted_per_second);
  json.field("measured_bytes", pair.measured_bytes);
  json.field("predicted_bytes", pair.predicted_bytes);
  json.field("is_inside", pair.is_inside);
  write_errors(json, "errors", pair.errors);
  json.end_object();
}

void write_numbers(JsonWriter& json, std::string_view name, const std::vector<int64_t>& numbers) {
  json.key(name);
  json.begin_array(JsonWriter::Layout::kInline);
  for (const int64_t number : numbers) json.value(number);
  json.end_array();
}

void write_targets(JsonWriter& json, const std::vector<session::TargetTrials>& targets) {
  json.key("targets");
  json.begin_array();
  for (const session::TargetTrials& target : targets) {
    json.begin_object(JsonWriter::Layout::kInline);
    json.field("batch_size", target.batch_size);
    write_numbers(json, "time_ns", target.time_ns);
    json.field("peak_bytes", target.peak_bytes);
    json.end_object();
  }
  json.end_array();
}

void write_starts(JsonWriter& json, const std::vector<session::StartModels>& starts) {
  json.key("starts");
  json.begin_array();
  for (const session::StartModels& start : starts) {
    json.begin_object(JsonWriter::Layout::kInline);
    json.field("batch_size", start.batch_size);
    json.field("time_form", name_of(start.time_ns.form()));
    json.field("memory_form", name_of(start.peak_bytes.form()));
    std::vector<int64_t> sampled;
    for (const session::BatchSample& sample : start.time_ns.samples()) sampled.push_back(sample.batch_size);
    write_numbers(json, "sampled", sampled);
    write_targets(json, start.targets);
    json.end_object();
  }
  json.end_array();
}

void write_failures(JsonWriter& json, const std::vector<session::BatchFailure>& failures) {
  json.key("failures");
  json.begin_array();
  for (const session::BatchFailure& failure : failures) {
    json.begin_object(JsonWriter::Layout::kInline);
    json.field("batch_size", failure.batch_size);
    json.field("sentence", failure.sentence);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

std::string render_evaluation(const session::EvaluateResult& result, const Console& console) {
  const session::PredictionErrors& evaluation = result.evaluation;
  std::string text = describe_models(result) + "\n" + render_pairs(evaluation.pairs, console) + "\n";
  text += fmt::format("Median absolute error inside the sampled range: throughput {}, memory {}.\n",
                      format_amount(evaluation.median_error.throughput),
                      format_amount(evaluation.median_error.memory));
  text += fmt::format("The same measured twice, in the same run: throughput {} apart.\n",
                      format_amount(evaluation.noise));
  for (const session::BatchFailure& failure : result.failures) {
    text +=
        fmt::format("Batch {} failed: {}\n", format_count(failure.batch_size), printable(failure.sentence));
  }
  return text;
}

std::string render_evaluation_json(const session::EvaluateResult& result) {
  JsonWriter json;
  json.begin_object();
  json.field("schema", 1);
  json.field("command", "evaluate");
  write_starts(json, result.starts);
  json.key("pairs");
  json.begin_array();
  for (const session::PairErrors& pair : result.evaluation.pairs) write_pair(json, pair);
  json.end_array();
  write_errors(json, "median_error", result.evaluation.median_error);
  json.field("noise", result.evaluation.noise);
  write_failures(json, result.failures);
  json.end_object();
  return std::move(json).finish();
}

}  // namespace skyline::cli
