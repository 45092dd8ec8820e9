#include "session/profile/headline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "analyze/analyze.h"
#include "base/number_text.h"
#include "session/profile/live_evidence.h"

namespace skyline::session {
namespace {

constexpr size_t kSureCount = 6;     // iterations, from which on the median has an interval
constexpr double kMostOfIt = 0.5;    // of the iteration: so much is worth naming modules
constexpr size_t kMostNames = 3;     //
constexpr double kOnlyChild = 0.75;  // of the iteration: then its children say more
constexpr double kWaits = 0.05;      // of the iteration: so much waiting for data is news
constexpr double kOddPhase = 0.2;    // of the iteration: so much outside forward and backward is news

// ---- Numbers for people. ----------------------------------------------------------------------

std::string rate(double per_second) {
  return per_second >= 100 ? with_gaps(std::llround(per_second)) : fmt::format("{:.3g}", per_second);
}

// ---- One sentence each. -----------------------------------------------------------------------

std::string throughput_sentence(const ProfileResult& result) {
  const IterationTime& time = result.measured->time;
  std::string text = fmt::format("{} samples/s", rate(result.samples_per_second()));
  if (time.count >= kSureCount) text += fmt::format(" ± {:.1f} %", 100 * time.uncertainty());
  text += fmt::format(" at batch {}", with_gaps(result.batch_size));
  if (result.measured->batches > 1) {
    text += fmt::format(", {} batches a step", with_gaps(result.measured->batches));
  }
  if (result.data_share() >= kWaits) {
    text += fmt::format(", {:.0f} % of the time waiting for data", 100 * result.data_share());
  }
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
  explicit ModuleTimes(const analyze::Breakdown& breakdown) : breakdown_(breakdown) {}

  const analyze::PhaseTimes& times(const analyze::BreakdownNode& node) const {
    return breakdown_.has_device ? node.total.device : node.total.host;
  }
  double share(int64_t ns) const {
    const int64_t whole = times(breakdown_.modules.front()).sum();
    return whole > 0 ? static_cast<double>(ns) / static_cast<double>(whole) : 0;
  }
  double share(analyze::Phase phase) const { return share(times(breakdown_.modules.front())[phase]); }
  std::string whole() const { return breakdown_.has_device ? "the device time" : "the iteration"; }

  // The children of this node that have time, the longest first.
  std::vector<const analyze::BreakdownNode*> children(const analyze::BreakdownNode& of) const {
    const analyze::BreakdownTree& tree = breakdown_.modules;
    const auto index = static_cast<uint32_t>(&of - tree.data());
    std::vector<const analyze::BreakdownNode*> all;
    for (uint32_t i = index + 1; i < of.end; i = tree[i].end) {
      if (times(tree[i]).sum() > 0) all.push_back(&tree[i]);
    }
    std::stable_sort(all.begin(), all.end(),
                     [&](const auto* a, const auto* b) { return times(*a).sum() > times(*b).sum(); });
    return all;
  }

 private:
  const analyze::Breakdown& breakdown_;
};

// "62 % of the iteration is in stage2 and stage3": the fewest modules of one level that have most of it. A
// module that is nearly all of its parent says less than its children do.
std::optional<std::string> modules_clause(const analyze::Breakdown& breakdown) {
  const ModuleTimes parts(breakdown);
  std::vector<const analyze::BreakdownNode*> level = parts.children(breakdown.modules.front());
  while (!level.empty()) {
    const analyze::BreakdownNode& longest = *level.front();
    const std::vector<const analyze::BreakdownNode*> inner = parts.children(longest);
    const bool is_all = longest.name.empty() || parts.share(parts.times(longest).sum()) > kOnlyChild;
    if (!is_all || inner.empty()) break;
    level = inner;
  }
  std::vector<std::string> names;
  int64_t sum_ns = 0;
  for (const analyze::BreakdownNode* node : level) {
    if (node->name.empty() || names.size() == kMostNames) return std::nullopt;
    names.push_back(node->name);
    sum_ns += parts.times(*node).sum();
    if (parts.share(sum_ns) >= kMostOfIt) {
      return fmt::format("{} of {} is in {}", percent_text(parts.share(sum_ns)), parts.whole(),
                         list_text(names));
    }
  }
  return std::nullopt;
}

// "31 % is Python between operators": what is neither forward nor backward and yet long.
std::optional<std::string> phase_clause(const ModuleTimes& parts) {
  struct Clause {
    analyze::Phase phase;
    const char* words;
  };
  constexpr Clause kClauses[] = {
      {analyze::Phase::kData, "waits for data"},
      {analyze::Phase::kPython, "is Python between operators"},
      {analyze::Phase::kOptimizer, "is the optimizer"},
      {analyze::Phase::kRecompute, "is recomputed for checkpoints"},
      {analyze::Phase::kCollectives, "is collectives"},
      {analyze::Phase::kZeroGrad, "clears gradients"},
      {analyze::Phase::kUntracked, "is not tracked"},
  };
  const Clause* const longest = std::max_element(
      std::begin(kClauses), std::end(kClauses),
      [&](const Clause& a, const Clause& b) { return parts.share(a.phase) < parts.share(b.phase); });
  if (parts.share(longest->phase) < kOddPhase) return std::nullopt;
  return fmt::format("{} {}", percent_text(parts.share(longest->phase)), longest->words);
}

std::optional<std::string> backward_clause(const ModuleTimes& parts) {
  const double forward = parts.share(analyze::Phase::kForward),
               backward = parts.share(analyze::Phase::kBackward);
  if (forward < 0.05 || backward < 0.05) return std::nullopt;
  return fmt::format("backward takes {:.1f} × forward", backward / forward);
}

std::optional<std::string> time_sentence(const analyze::Breakdown& breakdown) {
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

}  // namespace

std::vector<std::string> headline(const ProfileResult& result) {
  if (!result.measured) return {};
  std::vector<std::string> sentences = {throughput_sentence(result)};
  if (result.time != nullptr) {
    if (const auto sentence = time_sentence(result.time->breakdown)) sentences.push_back(*sentence);
  }
  for (const analyze::Finding& finding : analyze::find_live_findings(live_evidence(result))) {
    // That no other batch size is better is an answer, too.
    const bool is_answer = finding.state == analyze::FindingState::kNotFound && finding.id == "batch.size";
    if (finding.state == analyze::FindingState::kFound || is_answer) sentences.push_back(finding.sentence);
  }
  return sentences;
}

}  // namespace skyline::session
