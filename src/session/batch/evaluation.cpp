#include "session/batch/evaluation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/median.h"

namespace skyline::session {
namespace {

constexpr double kNoFigure = std::numeric_limits<double>::quiet_NaN();

// Of those that are known.
double median_of_known(std::vector<double> values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  return values.empty() ? kNoFigure : median(values);
}

double median_of_known(const std::vector<int64_t>& values) {
  return median_of_known(std::vector<double>(values.begin(), values.end()));
}

// By how much `value` is more than `truth`.
double relative_error(double value, double truth) { return truth > 0 ? value / truth - 1 : kNoFigure; }

double per_second(int64_t batch_size, double time_ns) {
  return time_ns > 0 ? static_cast<double>(batch_size) * 1e9 / time_ns : kNoFigure;
}

PairErrors compare(const StartModels& start, const TargetTrials& target) {
  const BatchPrediction time = start.time_ns.predict(target.batch_size);
  const BatchPrediction memory = start.peak_bytes.predict(target.batch_size);
  PairErrors pair;
  pair.start = start.batch_size;
  pair.target = target.batch_size;
  pair.predicted_per_second = per_second(target.batch_size, static_cast<double>(time.value));
  pair.measured_per_second = per_second(target.batch_size, median_of_known(target.time_ns));
  pair.predicted_bytes = memory.value;
  pair.measured_bytes = target.peak_bytes;
  pair.errors.throughput = relative_error(pair.predicted_per_second, pair.measured_per_second);
  pair.errors.memory =
      relative_error(static_cast<double>(memory.value), static_cast<double>(target.peak_bytes));
  pair.is_inside = !time.is_extrapolated;
  return pair;
}

// Every other trial against the rest: the same thing measured twice.
double noise_of(const std::vector<StartModels>& starts) {
  std::vector<double> differences;
  for (const StartModels& start : starts) {
    for (const TargetTrials& target : start.targets) {
      std::vector<int64_t> halves[2];
      for (size_t i = 0; i < target.time_ns.size(); ++i) halves[i % 2].push_back(target.time_ns[i]);
      if (halves[1].empty()) continue;
      differences.push_back(std::abs(relative_error(median_of_known(halves[0]), median_of_known(halves[1]))));
    }
  }
  return median_of_known(differences);
}

}  // namespace

PredictionErrors evaluate_models(const std::vector<StartModels>& starts) {
  PredictionErrors evaluation;
  std::vector<double> throughput, memory;
  for (const StartModels& start : starts) {
    for (const TargetTrials& target : start.targets) {
      if (target.time_ns.empty()) continue;
      const PairErrors& pair = evaluation.pairs.emplace_back(compare(start, target));
      if (!pair.is_inside) continue;
      throughput.push_back(std::abs(pair.errors.throughput));
      memory.push_back(std::abs(pair.errors.memory));
    }
  }
  evaluation.median_error = {median_of_known(throughput), median_of_known(memory)};
  evaluation.noise = noise_of(starts);
  return evaluation;
}

}  // namespace skyline::session
