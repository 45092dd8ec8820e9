#include "session/profile/page_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "session/profile/profile_result.h"
#include "session/profile/timing.h"

namespace skyline {
namespace {

// What one costs, with the page that is cleared for it; and the share of an iteration from which on that
// matters. What is beyond is the machine's own change of pace.
constexpr double kLeastNs = 250, kMostNs = 4000;
constexpr double kMatters = 0.01;
constexpr double kWorthASetting = 0.05;  // of an iteration
// For glibc: what is freed stays on the heap, and all that it lets be there comes from there.
constexpr const char* kKeepMemory = "MALLOC_TRIM_THRESHOLD_=4294967296 MALLOC_MMAP_THRESHOLD_=33554432";

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

std::optional<std::string> advice_on_page_faults(const ProfileResult& result) {
  if (result.samples.empty() || !result.measured) return std::nullopt;
  const std::optional<PageFaults> faults = page_faults_of(result.samples.front());
  if (!faults) return std::nullopt;
  const auto kept_ns = static_cast<double>(faults->kept_ns),
             as_run_ns = static_cast<double>(faults->as_run_ns);
  const double gain = 1 - kept_ns / as_run_ns;
  const bool is_clear = kept_ns * (1 + faults->noise) < static_cast<double>(result.measured->time.low_ns);
  if (gain < kWorthASetting || !is_clear) return std::nullopt;
  return fmt::format(
      "{:.0f} % of the iteration is page faults, {} of them, as freed memory goes back to the system: "
      "started with {} it takes {:.3g} ms instead of {:.3g}.",
      100 * gain, faults->per_iteration, kKeepMemory, kept_ns / 1e6, as_run_ns / 1e6);
}

}  // namespace skyline
