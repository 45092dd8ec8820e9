#include "serve/messages/session.h"

#include <algorithm>
#include <cmath>

#include "serve/messages/enums.h"

namespace skyline::serve {
namespace {

using serve::to_message;  // beside those of this file

protocol::Trouble to_message(const session::Trouble& trouble) {
  protocol::Trouble message;
  message.kind = trouble.is_out_of_memory ? protocol::TroubleKind::kOutOfMemory : to_message(trouble.kind);
  message.sentence = trouble.sentence;
  message.path = trouble.path;
  message.line = trouble.line;
  return message;
}

double known_uncertainty(const session::IterationTime& time) {
  const double uncertainty = time.uncertainty();
  return std::isfinite(uncertainty) ? uncertainty : 1;
}

protocol::IterationTime to_message(const session::IterationTime& time) {
  return {time.median_ns,         time.low_ns,
          time.high_ns,           time.quarter_ns,
          time.three_quarters_ns, static_cast<int64_t>(time.count),
          known_uncertainty(time)};
}

protocol::Literal to_message(const session::BatchLiteral& literal) {
  return {literal.path,       literal.line,  literal.begin_column,
          literal.end_column, literal.value, literal.file_hash};
}

// Six digits are more than any of them is sure of, and a third of the text.
double rounded(double number) {
  if (!(number > 0)) return 0;
  const double unit = std::pow(10, std::floor(std::log10(number)) - 5);
  return unit < 1 ? std::round(number / unit) / std::round(1 / unit) : std::round(number);
}

protocol::BatchSample to_message(const session::BatchMeasurement& sample) {
  protocol::BatchSample message;
  message.batch_size = sample.batch_size;
  message.median_ns =
      session::time_sample(sample).value;  // what the model has learnt, so that points lie by its curve
  if (message.median_ns > 0) {
    message.samples_per_second =
        rounded(1e9 * static_cast<double>(sample.batch_size) / static_cast<double>(message.median_ns));
  }
  message.uncertainty = known_uncertainty(sample.time);
  message.peak_bytes = sample.peak_bytes;
  return message;
}

// As far as the models go: to the largest batch that fits, but never short of what was run.
int64_t last_prediction(const session::BatchModels& models) {
  const int64_t sampled = models.time_ns.largest_sampled();
  return std::clamp(models.largest.batch_size, sampled, session::kFarthestFactor * sampled);
}

protocol::Predictions predict_all(const session::BatchModels& models) {
  protocol::Predictions all;
  all.batch_size = session::sizes_up_to(last_prediction(models));
  for (const int64_t batch_size : all.batch_size) {
    const session::ThroughputPrediction throughput = session::predict_throughput(models.time_ns, batch_size);
    const session::BatchPrediction peak = models.peak_bytes.predict(batch_size);
    all.samples_per_second.push_back(rounded(throughput.per_second));
    all.low.push_back(rounded(throughput.low));
    all.high.push_back(rounded(throughput.high));
    all.peak_bytes.push_back(peak.value);
    all.peak_low.push_back(peak.low);
    all.peak_high.push_back(peak.high);
    all.is_extrapolated.push_back(throughput.is_extrapolated || peak.is_extrapolated);
  }
  return all;
}

protocol::BatchModels to_message(const session::BatchModels& models) {
  protocol::BatchModels message;
  message.time_doubt = sentence_of(models.time_ns.doubt());
  message.memory_doubt = sentence_of(models.peak_bytes.doubt());
  message.largest = models.largest.batch_size;
  message.largest_is_verified = models.is_verified;
  message.largest_is_reached = models.largest.is_reached;
  message.largest_doubt = sentence_of(models.doubt_of_largest());
  message.best = models.peak.batch_size;
  message.best_samples_per_second = rounded(models.peak.per_second);
  message.knee = models.peak.knee_batch_size;
  message.predictions = predict_all(models);
  return message;
}

int64_t peak_bytes(const session::ProfileResult& result) {
  if (result.memory != nullptr) return result.memory->peak.peak.bytes;
  return result.measured ? result.measured->peak_bytes : 0;
}

void put_measured(const session::ProfileResult& result, protocol::SessionResult& message) {
  if (!result.measured) return;
  message.iteration = to_message(result.measured->time);
  message.samples_per_second = rounded(result.samples_per_second());
  message.tokens_per_second = rounded(result.tokens_per_second());
  message.resident_bytes = result.measured->resident_bytes;
}

void put_literal(const session::ProfileResult& result, bool is_given, protocol::SessionResult& message) {
  if (is_given) {
    message.no_literal = kGivenBatchSize;
  } else if (result.loaded.literal) {
    message.literal = to_message(*result.loaded.literal);
  } else {
    message.no_literal = result.loaded.no_literal;
  }
}

}  // namespace

protocol::SessionState to_message(const session::SessionView& view,
                                  std::vector<protocol::HistoryEntry> history) {
  protocol::SessionState message;
  message.state = to_message(view.state);
  message.save = static_cast<int64_t>(view.save);
  if (view.state != session::SessionState::kIdle) {
    message.phase = view.progress.phase;
    message.phase_ms = view.in_phase_ns / 1'000'000;
    message.fraction = std::round(1000 * view.progress.fraction) / 1000;
  }
  message.result_save = static_cast<int64_t>(view.result_save);
  message.is_stale = view.is_stale;
  message.is_unsaved = view.is_unsaved;
  if (view.trouble) message.trouble = to_message(*view.trouble);
  message.note = view.note;
  message.changed = view.changed;
  message.has_output = !view.output_log.empty();
  message.history = std::move(history);
  return message;
}

protocol::SessionResult to_message(const session::ProfileResult& result, uint64_t save,
                                   bool batch_size_is_given) {
  protocol::SessionResult message;
  message.save = static_cast<int64_t>(save);
  message.source_hash = result.source_hash;
  message.batch_size = result.batch_size;
  message.device = result.loaded.device;
  message.in_fresh_process = result.in_fresh_process;
  message.is_timed = result.is_timed;
  message.is_complete = result.is_complete;
  message.headline = session::headline(result);
  put_measured(result, message);
  message.compile_ns = result.compile_ns;
  message.peak_bytes = peak_bytes(result);
  message.capacity_bytes = result.capacity.bytes;
  message.capacity_source = result.capacity.source;
  put_literal(result, batch_size_is_given, message);
  for (const session::BatchMeasurement& sample : result.samples)
    message.samples.push_back(to_message(sample));
  std::sort(message.samples.begin(), message.samples.end(),
            [](const auto& a, const auto& b) { return a.batch_size < b.batch_size; });
  for (const session::BatchFailure& failure : result.failures) {
    message.failures.push_back({failure.batch_size, failure.sentence});
  }
  if (result.models) message.models = to_message(*result.models);
  return message;
}

protocol::HistoryEntry history_entry(const session::SessionView& view) {
  protocol::HistoryEntry entry;
  entry.save = static_cast<int64_t>(view.save);
  entry.changed = view.changed;
  if (view.trouble) entry.trouble = view.trouble->sentence;
  if (view.result == nullptr || view.result_save != view.save) return entry;
  entry.batch_size = view.result->batch_size;
  entry.samples_per_second = rounded(view.result->samples_per_second());
  if (view.result->measured) entry.uncertainty = known_uncertainty(view.result->measured->time);
  entry.peak_bytes = peak_bytes(*view.result);
  entry.is_complete = view.result->is_complete;
  return entry;
}

}  // namespace skyline::serve
