#include "session/profile/timing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/check.h"
#include "base/median.h"

namespace skyline::session {
namespace {

constexpr size_t kSettledRun = 3;

// The largest k for which the true median lies below the k-th smallest of n samples with a chance of at most
// 2.5 %, counted from 0; none: n is too small. Binomial(n, 1/2), summed in logarithms.
size_t rank_of_low_end(size_t n) {
  double tail = 0;
  double log_term = -static_cast<double>(n) * std::log(2.0);  // of C(n, 0) / 2^n
  size_t k = 0;
  for (; k < n / 2; ++k) {
    tail += std::exp(log_term);
    if (tail > 0.025) break;
    log_term += std::log(static_cast<double>(n - k)) - std::log(static_cast<double>(k + 1));
  }
  return k == 0 ? 0 : k - 1;
}

}  // namespace

double IterationTime::uncertainty() const {
  if (count < 2 || median_ns <= 0) return std::numeric_limits<double>::infinity();
  return static_cast<double>(high_ns - low_ns) / 2 / static_cast<double>(median_ns);
}

IterationTime summarize(std::span<const int64_t> durations_ns) {
  CHECK(!durations_ns.empty());
  std::vector<int64_t> sorted(durations_ns.begin(), durations_ns.end());
  std::sort(sorted.begin(), sorted.end());
  const size_t n = sorted.size(), rank = rank_of_low_end(n);
  return {.median_ns = median(sorted),
          .low_ns = sorted[rank],
          .high_ns = sorted[n - 1 - rank],
          .quarter_ns = sorted[(n - 1) / 4],
          .three_quarters_ns = sorted[n - 1 - (n - 1) / 4],
          .count = n};
}

double noise_of_median(std::span<const int64_t> values) {
  CHECK(values.size() >= 2);
  const int64_t middle = median(std::vector<int64_t>(values.begin(), values.end()));
  std::vector<int64_t> deviations;
  for (const int64_t value : values) deviations.push_back(std::abs(value - middle));
  // 1.4826: from the median deviation to the standard deviation; 1.2533: from the mean's error to the
  // median's.
  const double deviation = 1.4826 * static_cast<double>(median(deviations));
  const double error = 1.96 * 1.2533 * deviation / std::sqrt(static_cast<double>(values.size()));
  return middle > 0 ? error / static_cast<double>(middle) : std::numeric_limits<double>::infinity();
}

bool has_settled(std::span<const int64_t> durations_ns) {
  if (durations_ns.size() < kSettledRun) return false;
  const std::span<const int64_t> last = durations_ns.last(kSettledRun);
  const auto [fastest, slowest] = std::minmax_element(last.begin(), last.end());
  return *slowest - *fastest <= *fastest / 10;
}

bool is_reached(const TimingGoal& goal, const IterationTime& time) {
  if (time.count >= goal.max_count) return true;
  return time.count >= goal.min_count && time.uncertainty() <= goal.uncertainty;
}

}  // namespace skyline::session
