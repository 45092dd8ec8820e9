#include "analyze/advice/saying.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace skyline::analyze {
namespace {

std::string three_digits(double value) {
  if (value < 9.995) return fmt::format("{:.2f}", value);
  return value < 99.95 ? fmt::format("{:.1f}", value) : fmt::format("{:.0f}", value);
}

std::string share_text(double share) {
  const double percent = 100 * share;
  if (percent > 0 && percent < 1) return "Less than 1 %";
  return fmt::format("{:.0f} %", std::min(percent, 100.0));
}

}  // namespace

std::string time_text(int64_t time_ns) {
  const auto time = static_cast<double>(time_ns);
  if (time < 1e3) return fmt::format("{} ns", time_ns);
  if (time < 1e6) return three_digits(time / 1e3) + " µs";
  if (time < 1e9) return three_digits(time / 1e6) + " ms";
  return three_digits(time / 1e9) + " s";
}

std::string bytes_text(int64_t bytes) {
  constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  auto size = static_cast<double>(bytes);
  size_t unit = 0;
  for (; size >= 1024 && unit + 1 < std::size(kUnits); ++unit) size /= 1024;
  return unit == 0 ? fmt::format("{} bytes", bytes) : fmt::format("{:.1f} {}", size, kUnits[unit]);
}

std::string place_text(const FindingPlace& place) {
  if (place.file.empty()) return {};
  const size_t slash = place.file.find_last_of("/\\");
  return fmt::format(" ({}:{})", slash == std::string::npos ? place.file : place.file.substr(slash + 1),
                     place.line);
}

Finding found_time(const TrainingFacts& facts, Saying saying) {
  Finding finding;
  finding.id = saying.id;
  const double share = facts.share(saying.time_ns);
  // Nothing can save more than there is.
  const int64_t gain =
      std::clamp<int64_t>(saying.gain_ns, 0, std::max(facts.step_ns, facts.all_ns / facts.step_count));
  finding.severity = facts.share(gain) < kWorthSaying ? FindingSeverity::kNote : FindingSeverity::kAdvice;
  finding.count = saying.count;
  finding.sentence = fmt::format("{} of the {} {}{}: {} saves up to {}.", share_text(share), facts.subject,
                                 saying.what, place_text(saying.place), saying.cure, time_text(gain));
  finding.cure = saying.cure;
  finding.place = std::move(saying.place);
  finding.evidence = {std::move(saying.figures), std::move(saying.slices)};
  finding.gain = FindingGain{.time_ns = gain, .low_ns = 0, .high_ns = gain};
  finding.confidence = saying.confidence;
  finding.claims = std::move(saying.claims);
  return finding;
}

Finding found_work(const TrainingFacts& facts, const Work& work, Saying saying) {
  saying.place = facts.place_of(work.op);
  saying.claims = work.moments;
  saying.time_ns = facts.per_step(work.moments);
  saying.count = work.calls;
  return found_time(facts, std::move(saying));
}

Finding not_found(std::string_view id, std::string sentence) {
  Finding finding;
  finding.id = id;
  finding.state = FindingState::kNotFound;
  finding.sentence = std::move(sentence);
  return finding;
}

Finding cannot_judge(std::string_view id, std::string sentence, std::string cure) {
  Finding finding;
  finding.id = id;
  finding.state = FindingState::kCannotJudge;
  finding.sentence = std::move(sentence);
  finding.cure = std::move(cure);
  return finding;
}

}  // namespace skyline::analyze
