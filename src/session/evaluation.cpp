#include "session/evaluation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace skyline {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// Of those that are known.
double median(std::vector<double> values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty()) return kUnknown;
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double median(const std::vector<int64_t>& values) {
  return median(std::vector<double>(values.begin(), values.end()));
}

// By how much `value` is more than `truth`.
double relative_error(double value, double truth) { return truth > 0 ? value / truth - 1 : kUnknown; }

double per_second(int64_t batch_size, double time_ns) {
  return time_ns > 0 ? static_cast<double>(batch_size) * 1e9 / time_ns : kUnknown;
}

PairErrors compare(const StartModels& start, const TargetTrials& target) {
  const BatchPrediction time = start.time_ns.predict(target.batch_size);
  const BatchPrediction memory = start.peak_bytes.predict(target.batch_size);
  PairErrors pair;
  pair.start = start.batch_size;
  pair.target = target.batch_size;
  pair.predicted_per_second = per_second(target.batch_size, static_cast<double>(time.value));
  pair.measured_per_second = per_second(target.batch_size, median(target.time_ns));
  pair.predicted_bytes = memory.value;
  pair.measured_bytes = std::llround(median(target.peak_bytes));
  pair.errors.throughput = relative_error(pair.predicted_per_second, pair.measured_per_second);
  pair.errors.memory = relative_error(static_cast<double>(memory.value), median(target.peak_bytes));
  pair.is_inside = !time.is_extrapolated;
  return pair;
}

// Each trial against the median of the others.
void add_deviations(const std::vector<double>& trials, std::vector<double>& to) {
  for (size_t i = 0; i < trials.size(); ++i) {
    std::vector<double> others = trials;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    to.push_back(std::abs(relative_error(trials[i], median(others))));
  }
}

CostErrors noise_of(const std::vector<TargetTrials>& targets) {
  std::vector<double> throughput, memory;
  for (const TargetTrials& target : targets) {
    std::vector<double> rates;
    for (const int64_t time_ns : target.time_ns)
      rates.push_back(per_second(target.batch_size, static_cast<double>(time_ns)));
    add_deviations(rates, throughput);
    add_deviations({target.peak_bytes.begin(), target.peak_bytes.end()}, memory);
  }
  return {median(throughput), median(memory)};
}

}  // namespace

Evaluation evaluate_models(const std::vector<StartModels>& starts, const std::vector<TargetTrials>& targets) {
  Evaluation evaluation;
  std::vector<double> throughput, memory;
  for (const StartModels& start : starts) {
    for (const TargetTrials& target : targets) {
      if (target.time_ns.empty()) continue;
      const PairErrors& pair = evaluation.pairs.emplace_back(compare(start, target));
      if (!pair.is_inside) continue;
      throughput.push_back(std::abs(pair.errors.throughput));
      memory.push_back(std::abs(pair.errors.memory));
    }
  }
  evaluation.median_error = {median(throughput), median(memory)};
  evaluation.noise = noise_of(targets);
  return evaluation;
}

std::vector<int64_t> choose_targets(const std::vector<StartModels>& starts, size_t most) {
  int64_t first = 1, last = std::numeric_limits<int64_t>::max();
  std::set<int64_t> sampled;
  for (const StartModels& start : starts) {
    first = std::max(first, start.time_ns.smallest_sampled());
    last = std::min(last, start.time_ns.largest_sampled());
    for (const BatchSample& sample : start.time_ns.samples()) sampled.insert(sample.batch_size);
  }
  // The middle between neighbours, where an error can be largest.
  std::vector<int64_t> between;
  for (auto high = sampled.begin(); high != sampled.end(); ++high) {
    if (high == sampled.begin()) continue;
    const int64_t low = *std::prev(high);
    const int64_t middle = std::llround(std::sqrt(static_cast<double>(low) * static_cast<double>(*high)));
    if (middle > low && middle < *high && middle >= first && middle <= last) between.push_back(middle);
  }
  if (between.size() <= most) return between;
  std::vector<int64_t> chosen;  // evenly, with the first and the last
  for (size_t i = 0; i < most; ++i)
    chosen.push_back(between[most == 1 ? 0 : i * (between.size() - 1) / (most - 1)]);
  return chosen;
}

}  // namespace skyline
