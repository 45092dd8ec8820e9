#include "session/batch/batch_choice.h"

#include <algorithm>
#include <concepts>
#include <vector>

#include "base/check.h"

namespace skyline::session {
namespace {

constexpr int64_t kEveryOneUpTo = 256;
constexpr int64_t kNearPercent = 97;

// Batch sizes 1 to most, each at most 1 % above the one before, and all that were measured: between two
// neighbours a throughput neither has a peak of its own nor reaches anything that both miss, to within 1 %.
std::vector<int64_t> grid(const BatchModel& model, int64_t most) {
  std::vector<int64_t> sizes;
  for (int64_t size = 1; size < most; size += std::max<int64_t>(1, size > kEveryOneUpTo ? size / 100 : 1)) {
    sizes.push_back(size);
  }
  sizes.push_back(most);
  for (const BatchSample& sample : model.samples()) {
    if (sample.batch_size < most) sizes.push_back(sample.batch_size);
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

// The first of (low, high] for which a condition holds that holds for high and, once true, stays true.
int64_t first_that(int64_t low, int64_t high, const std::predicate<int64_t> auto& holds) {
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    (holds(middle) ? high : low) = middle;
  }
  return high;
}

BatchLimit largest_that(const BatchModel& model, const std::predicate<int64_t> auto& is_too_much) {
  const int64_t most = model.largest_sampled() * kFarthestFactor;
  int64_t fits = 0;
  for (const int64_t size : grid(model, most)) {
    if (!is_too_much(size)) {
      fits = size;
      continue;
    }
    fits = first_that(fits, size, is_too_much) - 1;
    return {fits, fits > model.largest_sampled(), true};
  }
  return {fits, fits > model.largest_sampled(), false};
}

}  // namespace

double throughput(const BatchModel& time_ns, int64_t batch_size) {
  const int64_t time = time_ns.predict(batch_size).value;
  return time > 0 ? 1e9 * static_cast<double>(batch_size) / static_cast<double>(time) : 0;
}

ThroughputPrediction predict_throughput(const BatchModel& time_ns, int64_t batch_size) {
  const BatchPrediction time = time_ns.predict(batch_size);
  const auto per_second = [&](int64_t ns) {
    return ns > 0 ? 1e9 * static_cast<double>(batch_size) / static_cast<double>(ns) : 0;
  };
  // A time that may be next to nothing leaves the throughput open to above; the expected one is then the end.
  const double value = per_second(time.value);
  return {value, per_second(time.high), std::max(value, per_second(time.low)), time.is_extrapolated};
}

std::vector<int64_t> sizes_up_to(int64_t most) {
  CHECK(most >= 1);
  constexpr int64_t kShownOneByOne = 512;
  std::vector<int64_t> sizes;
  for (int64_t size = 1; size < most; size += size < kShownOneByOne ? 1 : std::max<int64_t>(1, size / 100)) {
    sizes.push_back(size);
  }
  sizes.push_back(most);
  return sizes;
}

BatchLimit largest_batch_that_fits(const BatchModel& memory_bytes, int64_t capacity_bytes) {
  const auto may_be_too_much = [&](int64_t size) { return memory_bytes.predict(size).high > capacity_bytes; };
  BatchLimit limit = largest_that(memory_bytes, may_be_too_much);
  for (const BatchSample& sample : memory_bytes.samples()) {
    if (!limit.is_reached || sample.value > capacity_bytes) break;
    const bool is_near = sample.batch_size * 100 >= limit.batch_size * kNearPercent;
    if (is_near) limit = {sample.batch_size, false, true};
  }
  return limit;
}

BatchLimit largest_batch_within(const BatchModel& memory_bytes, int64_t target_bytes) {
  return largest_that(memory_bytes,
                      [&](int64_t size) { return memory_bytes.predict(size).value > target_bytes; });
}

ThroughputPeak throughput_peak(const BatchModel& time_ns, int64_t most) {
  CHECK(most >= 1);
  ThroughputPeak sampled, beyond;
  for (const int64_t size : grid(time_ns, most)) {
    const bool is_extrapolated = time_ns.predict(size).is_extrapolated;
    ThroughputPeak& best = is_extrapolated ? beyond : sampled;
    const double per_second = throughput(time_ns, size);
    if (per_second > best.per_second) best = {size, per_second, is_extrapolated, 0};
  }
  // What was measured is not given up for a rounding error.
  ThroughputPeak peak = beyond.per_second > sampled.per_second * 1.001 ? beyond : sampled;
  if (peak.batch_size == 0) return peak;
  peak.knee_batch_size =
      smallest_batch_for(time_ns, kKneeShare * peak.per_second, peak.batch_size).value_or(peak.batch_size);
  return peak;
}

std::optional<int64_t> smallest_batch_for(const BatchModel& time_ns, double per_second, int64_t most) {
  CHECK(most >= 1);
  const auto is_enough = [&](int64_t size) { return throughput(time_ns, size) >= per_second; };
  int64_t too_small = 0;
  for (const int64_t size : grid(time_ns, most)) {
    if (is_enough(size)) return first_that(too_small, size, is_enough);
    too_small = size;
  }
  return {};
}

}  // namespace skyline::session
