#include "session/batch/batch_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace skyline::session {
namespace {

constexpr int64_t kFarthestDoubling = 8;

class Planner {
 public:
  explicit Planner(const BatchPlanInput& input) : input_(input), left_ns_(input.budget_ns) {
    for (const BatchSample& sample : input.time_ns->samples()) known_.insert(sample.batch_size);
    for (const int64_t size : input.failed) {
      if (size > input.current) too_large_ = std::min(too_large_, size);
      if (size < input.current) too_small_ = std::max(too_small_, size);
      if (size == input.current) known_.insert(size);
    }
  }

  std::vector<int64_t> plan(size_t count) {
    for (const int64_t size : ladder()) {
      if (chosen_.size() == count) return chosen_;
      try_size(size);
    }
    while (chosen_.size() < count && fill_widest_gap()) {
    }
    return chosen_;
  }

 private:
  std::vector<int64_t> ladder() const {
    std::vector<int64_t> sizes = {input_.current};
    for (int64_t factor = 2; factor <= kFarthestDoubling; factor *= 2) {
      if (input_.current <= std::numeric_limits<int64_t>::max() / factor) {
        sizes.push_back(input_.current * factor);
      }
      if (input_.current / factor >= 1) sizes.push_back(input_.current / factor);
    }
    sizes.push_back(1);
    return sizes;
  }

  bool is_open(int64_t size) const {
    return size > too_small_ && size < too_large_ && !known_.contains(size) && !refused_.contains(size);
  }

  bool is_affordable(int64_t size, int64_t& cost_ns) const {
    if (input_.capacity_bytes && input_.memory_bytes != nullptr &&
        input_.memory_bytes->predict(size).high > *input_.capacity_bytes) {
      return false;
    }
    const int64_t once_ns = input_.time_ns->predict(size).value;
    if (once_ns > left_ns_ / std::max<int64_t>(1, input_.iterations)) return false;
    cost_ns = once_ns * input_.iterations;
    return true;
  }

  bool try_size(int64_t size) {
    int64_t cost_ns = 0;
    if (!is_open(size)) return false;
    if (!is_affordable(size, cost_ns)) {
      refused_.insert(size);
      return false;
    }
    left_ns_ -= cost_ns;
    known_.insert(size);
    chosen_.push_back(size);
    return true;
  }

  // Gaps between known sizes, and between the largest of them and the smallest that failed or was refused.
  std::set<int64_t> ends_of_gaps() const {
    std::set<int64_t> ends = known_;
    const int64_t largest = *known_.rbegin();
    const auto beyond = refused_.upper_bound(largest);
    const int64_t refused = beyond == refused_.end() ? too_large_ : *beyond;
    const int64_t end = std::min(too_large_, refused);
    if (end != std::numeric_limits<int64_t>::max()) ends.insert(end);
    return ends;
  }

  // Tries the geometric middle of each gap, the widest first, of equal ones the nearest to the current size;
  // false: there is none left.
  bool fill_widest_gap() {
    while (true) {
      int64_t best = 0;
      std::pair<double, double> widest;  // how wide, how near
      const std::set<int64_t> ends = ends_of_gaps();
      for (auto left = ends.begin(), right = std::next(left); right != ends.end(); ++left, ++right) {
        const auto low = static_cast<double>(*left), high = static_cast<double>(*right);
        const auto middle = static_cast<int64_t>(std::llround(std::sqrt(low * high)));
        if (middle <= *left || middle >= *right || !is_open(middle)) continue;
        if (input_.leaves_gaps && *right - *left == 2) continue;
        const double octaves = std::log2(static_cast<double>(middle) / static_cast<double>(input_.current));
        const std::pair gap(high / low, -std::abs(octaves));
        if (best != 0 && gap <= widest) continue;
        widest = gap;
        best = middle;
      }
      if (best == 0) return false;
      if (try_size(best)) return true;
    }
  }

  const BatchPlanInput& input_;
  int64_t left_ns_;
  std::set<int64_t> known_;    // measured, or chosen now
  std::set<int64_t> refused_;  // would not fit, or cost too much
  int64_t too_small_ = 0;
  int64_t too_large_ = std::numeric_limits<int64_t>::max();
  std::vector<int64_t> chosen_;
};

}  // namespace

std::vector<int64_t> next_batch_sizes(const BatchPlanInput& input, size_t count) {
  if (count == 0) return {};
  if (input.time_ns != nullptr) return Planner(input).plan(count);
  // The current size failed at once: the nearest that has not, below first, since memory is the usual reason.
  for (int64_t factor = 1; factor <= kFarthestDoubling; factor *= 2) {
    for (const int64_t size : {input.current / factor, input.current * factor}) {
      const bool has_failed = std::find(input.failed.begin(), input.failed.end(), size) != input.failed.end();
      if (size >= 1 && !has_failed) return {size};
    }
  }
  return {};
}

std::vector<int64_t> sizes_between(std::vector<int64_t> sampled, size_t most) {
  std::sort(sampled.begin(), sampled.end());
  std::vector<int64_t> between;
  for (size_t i = 1; i < sampled.size(); ++i) {
    const int64_t low = sampled[i - 1], high = sampled[i];
    const int64_t middle = std::llround(std::sqrt(static_cast<double>(low) * static_cast<double>(high)));
    if (middle > low && middle < high) between.push_back(middle);
  }
  if (between.size() <= most) return between;
  std::vector<int64_t> chosen;
  for (size_t i = 0; i < most; ++i) {
    chosen.push_back(between[most == 1 ? 0 : i * (between.size() - 1) / (most - 1)]);
  }
  return chosen;
}

}  // namespace skyline::session
