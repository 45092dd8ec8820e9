#include "session/profile/headline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "session/profile/page_faults.h"

namespace skyline {
namespace {

constexpr size_t kSureCount = 6;       // iterations, from which on the median has an interval
constexpr double kMostOfIt = 0.5;      // of the iteration: so much is worth naming modules
constexpr size_t kMostNames = 3;       //
constexpr double kOnlyChild = 0.75;    // of the iteration: then its children say more
constexpr double kOddPhase = 0.2;      // of the iteration: so much outside forward and backward is news
constexpr double kWorthAnEdit = 0.05;  // more samples per second
constexpr double kEnough = 0.8;        // of what can be gained: farther out each percent costs more memory

// ---- Numbers for people. ----------------------------------------------------------------------

// "1 214"
std::string with_gaps(int64_t number) {
  std::string text = std::to_string(number);
  for (size_t at = text.size(); at > 3;) text.insert(at -= 3, " ");
  return text;
}

std::string rate(double per_second) {
  return per_second >= 100 ? with_gaps(std::llround(per_second)) : fmt::format("{:.3g}", per_second);
}

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

// "3.0 of 7.8 GiB", in the unit of the larger.
std::string part_of_bytes(int64_t part, int64_t whole) {
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double divisor = 1;
  size_t unit = 0;
  for (; static_cast<double>(whole) / divisor >= 1024 && unit + 1 < std::size(kUnits); ++unit)
    divisor *= 1024;
  const double used = static_cast<double>(part) / divisor;
  const char* const digits = unit == 0     ? "{:.0f} of {:.0f} {}"
                             : used < 0.05 ? "{:.2f} of {:.1f} {}"
                                           : "{:.1f} of {:.1f} {}";
  return fmt::format(fmt::runtime(digits), used, static_cast<double>(whole) / divisor, kUnits[unit]);
}

// "a", "a and b", "a, b and c"
std::string list_of(const std::vector<std::string>& names) {
  std::string text = names.front();
  for (size_t i = 1; i < names.size(); ++i) text += (i + 1 < names.size() ? ", " : " and ") + names[i];
  return text;
}

// ---- One sentence each. -----------------------------------------------------------------------

std::string throughput_sentence(const ProfileResult& result) {
  const IterationTime& time = result.measured->time;
  std::string text = fmt::format("{} samples/s", rate(result.samples_per_second()));
  if (time.count >= kSureCount) text += fmt::format(" ± {:.1f} %", 100 * time.uncertainty());
  text += fmt::format(" at batch {}", with_gaps(result.batch_size));
  if (result.tokens > 0) text += fmt::format(", {} tokens/s", rate(result.tokens_per_second()));
  if (!result.is_timed) return text + " so far.";
  if (time.count < kSureCount) {
    text += time.count == 1 ? ", from one iteration" : fmt::format(", from {} iterations", time.count);
  }
  return text + ".";
}

// The time of one breakdown, on the device where there is one.
class ModuleTimes {
 public:
  explicit ModuleTimes(const Breakdown& breakdown) : breakdown_(breakdown) {}

  const PhaseTimes& times(const BreakdownNode& node) const {
    return breakdown_.has_device ? node.total.device : node.total.host;
  }
  double share(int64_t ns) const {
    const int64_t whole = times(breakdown_.modules.front()).sum();
    return whole > 0 ? static_cast<double>(ns) / static_cast<double>(whole) : 0;
  }
  double share(Phase phase) const { return share(times(breakdown_.modules.front())[phase]); }
  std::string whole() const { return breakdown_.has_device ? "the device time" : "the iteration"; }

  // The children of this node that have time, the longest first.
  std::vector<const BreakdownNode*> children(const BreakdownNode& of) const {
    const BreakdownTree& tree = breakdown_.modules;
    const auto index = static_cast<uint32_t>(&of - tree.data());
    std::vector<const BreakdownNode*> all;
    for (uint32_t i = index + 1; i < of.end; i = tree[i].end) {
      if (times(tree[i]).sum() > 0) all.push_back(&tree[i]);
    }
    std::stable_sort(all.begin(), all.end(),
                     [&](const auto* a, const auto* b) { return times(*a).sum() > times(*b).sum(); });
    return all;
  }

 private:
  const Breakdown& breakdown_;
};

// "62 % of the iteration is in stage2 and stage3": the fewest modules of one level that have most of it. A
// module that is nearly all of its parent says less than its children do.
std::optional<std::string> modules_clause(const Breakdown& breakdown) {
  const ModuleTimes parts(breakdown);
  std::vector<const BreakdownNode*> level = parts.children(breakdown.modules.front());
  while (!level.empty()) {
    const BreakdownNode& longest = *level.front();
    const std::vector<const BreakdownNode*> inner = parts.children(longest);
    const bool is_all = longest.name.empty() || parts.share(parts.times(longest).sum()) > kOnlyChild;
    if (!is_all || inner.empty()) break;
    level = inner;
  }
  std::vector<std::string> names;
  int64_t sum_ns = 0;
  for (const BreakdownNode* node : level) {
    if (node->name.empty() || names.size() == kMostNames) return std::nullopt;
    names.push_back(node->name);
    sum_ns += parts.times(*node).sum();
    if (parts.share(sum_ns) >= kMostOfIt) {
      return fmt::format("{} of {} is in {}", percent(parts.share(sum_ns)), parts.whole(), list_of(names));
    }
  }
  return std::nullopt;
}

// "31 % is Python between operators": what is neither forward nor backward and yet long.
std::optional<std::string> phase_clause(const ModuleTimes& parts) {
  struct Clause {
    Phase phase;
    const char* words;
  };
  constexpr Clause kClauses[] = {
      {Phase::kData, "waits for data"},        {Phase::kPython, "is Python between operators"},
      {Phase::kOptimizer, "is the optimizer"}, {Phase::kRecompute, "is recomputed for checkpoints"},
      {Phase::kCollectives, "is collectives"}, {Phase::kZeroGrad, "clears gradients"},
      {Phase::kUntracked, "is not tracked"},
  };
  const Clause* const longest = std::max_element(
      std::begin(kClauses), std::end(kClauses),
      [&](const Clause& a, const Clause& b) { return parts.share(a.phase) < parts.share(b.phase); });
  if (parts.share(longest->phase) < kOddPhase) return std::nullopt;
  return fmt::format("{} {}", percent(parts.share(longest->phase)), longest->words);
}

std::optional<std::string> backward_clause(const ModuleTimes& parts) {
  const double forward = parts.share(Phase::kForward), backward = parts.share(Phase::kBackward);
  if (forward < 0.05 || backward < 0.05) return std::nullopt;
  return fmt::format("backward takes {:.1f} × forward", backward / forward);
}

std::optional<std::string> time_sentence(const Breakdown& breakdown) {
  if (breakdown.modules.empty()) return std::nullopt;
  const ModuleTimes parts(breakdown);
  const std::optional<std::string> modules = modules_clause(breakdown);
  std::optional<std::string> odd = phase_clause(parts);
  if (odd && !modules) odd = odd->insert(odd->find('%') + 1, " of " + parts.whole());
  std::string text;
  for (const auto& clause : {modules, odd, backward_clause(parts)}) {
    if (clause) text += (text.empty() ? "" : "; ") + *clause;
  }
  if (text.empty()) return std::nullopt;
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text + ".";
}

// What another batch size would bring: the smallest that brings most of what can be had among those that were
// run and fit.
std::optional<std::string> batch_sentence(const ProfileResult& result) {
  const BatchModels& models = *result.models;
  const BatchModel& memory = models.memory_that_must_fit();
  const bool knows_memory = models.doubt_of_largest() == BatchDoubt::kNone;
  int64_t most = models.time_ns.largest_sampled();
  if (knows_memory) most = std::min(most, models.largest.batch_size);
  const double now = result.samples_per_second();
  if (models.time_ns.doubt() != BatchDoubt::kNone || most < 1 || now <= 0) return std::nullopt;

  const ThroughputPeak peak = throughput_peak(models.time_ns, most);
  if (peak.per_second < (1 + kWorthAnEdit) * now) {
    return fmt::format("No batch size that was run{} is {} faster.", knows_memory ? " and fits" : "",
                       percent(kWorthAnEdit));
  }
  const double wanted = std::max((1 + kWorthAnEdit) * now, now + kEnough * (peak.per_second - now));
  const int64_t better = smallest_batch_for(models.time_ns, wanted, most).value_or(peak.batch_size);
  const ThroughputPrediction then = predict_throughput(models.time_ns, better);
  if (then.low <= now || then.is_extrapolated) return std::nullopt;
  std::string text =
      fmt::format("Batch {} would give about {} more", with_gaps(better), percent(then.per_second / now - 1));
  if (memory.doubt() == BatchDoubt::kNone && result.capacity.bytes > 0) {
    text += fmt::format(" and use {}", part_of_bytes(memory.predict(better).value, result.capacity.bytes));
  }
  return text + ".";
}

}  // namespace

std::vector<std::string> headline(const ProfileResult& result) {
  if (!result.measured) return {};
  std::vector<std::string> sentences = {throughput_sentence(result)};
  if (result.time != nullptr) {
    if (const auto sentence = time_sentence(result.time->breakdown)) sentences.push_back(*sentence);
  }
  if (const auto sentence = advice_on_page_faults(result)) sentences.push_back(*sentence);
  if (result.models) {
    if (const auto sentence = batch_sentence(result)) sentences.push_back(*sentence);
  }
  return sentences;
}

}  // namespace skyline
