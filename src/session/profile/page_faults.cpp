#include "session/profile/page_faults.h"

#include <algorithm>
#include <span>

#include "session/profile/profile_result.h"
#include "session/profile/timing.h"

namespace skyline::session {
namespace {

// What one costs, with the page that is cleared for it; and the share of an iteration from which on that
// matters. What is beyond is the machine's own change of pace.
constexpr double kLeastNs = 250, kMostNs = 4000;
constexpr double kMatters = 0.01;

double uncertainty(std::span<const int64_t> visits) {
  constexpr double kUnknown = 0.05;  // of a single visit
  return visits.size() < 2 ? kUnknown : noise_of_median(visits);
}

}  // namespace

std::optional<PageFaults> page_faults_of(const BatchMeasurement& own) {
  if (!own.is_kept_later || own.visits_ns.size() < 2) return std::nullopt;
  const std::span kept = std::span(own.visits_ns).subspan(1);
  PageFaults faults;
  faults.per_iteration = own.visit_faults.front();
  faults.kept_per_iteration = summarize(std::span(own.visit_faults).subspan(1)).median_ns;
  faults.as_run_ns = own.visits_ns.front();
  faults.kept_ns = std::max<int64_t>(summarize(kept).median_ns, 1);
  faults.noise = uncertainty(kept);
  const auto avoided = static_cast<double>(faults.per_iteration - faults.kept_per_iteration);
  const bool matter = avoided * kLeastNs > kMatters * static_cast<double>(faults.as_run_ns);
  const auto longer_ns = static_cast<double>(faults.as_run_ns - faults.kept_ns);
  if (!matter || longer_ns <= 0 || longer_ns > avoided * kMostNs) return std::nullopt;
  return faults;
}

}  // namespace skyline::session
