#include "analyze/advice/ranking.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyze/advice/rules.h"
#include "analyze/health/health.h"

namespace skyline::analyze {
namespace {

constexpr Explains kExplains[] = {
    // What waits for input, or for a value, is idle time of the device with a cause.
    {"input.workers", "device.idle_gaps"},
    {"input.workers", "device.launch_bound"},
    {"input.workers", "host.python"},
    {"input.workers", "cpu.contention"},
    {"input.wait", "device.idle_gaps"},
    {"input.wait", "host.python"},
    {"input.workers_restarted", "input.wait"},
    {"input.workers_restarted", "host.python"},
    {"input.first_batch", "input.workers"},
    {"input.first_batch", "input.wait"},
    {"input.first_batch", "host.python"},
    {"input.blocking_copies", "input.pageable_copies"},
    {"input.blocking_copies", "device.idle_gaps"},
    {"input.pageable_copies", "input.blocking_copies"},
    {"host.synchronisation", "device.idle_gaps"},
    {"host.synchronisation", "device.launch_bound"},
    {"device.launch_bound", "device.idle_gaps"},
    {"device.allocator", "device.idle_gaps"},
    {"host.logging", "host.python"},
    {"host.logging", "device.idle_gaps"},
    {"host.garbage_collection", "host.python"},
    {"host.garbage_collection", "device.idle_gaps"},
    {"host.python", "device.idle_gaps"},
    {"host.python", "device.launch_bound"},
    // The specific one before the general one.
    {"compute.float64", "compute.low_precision"},
    {"device.tensor_cores", "device.tf32"},
    {"device.tensor_cores", "compute.low_precision"},
    {"device.tf32", "compute.low_precision"},
    {"compute.unaligned_matmul", "compute.low_precision"},
    {"compute.tensor_loop", "host.tiny_operators"},
    {"compute.tensor_loop", "compute.fusible_chain"},
    {"compute.tensor_loop", "compute.conversions"},
    {"compute.tensor_loop", "host.python"},
    {"host.tiny_operators", "host.python"},
    {"host.tiny_operators", "compute.fusible_chain"},
    {"optimizer.per_parameter", "compute.conversions"},
    {"optimizer.per_parameter", "compute.fusible_chain"},
    {"input.workers_restarted", "input.first_batch"},
    {"input.workers", "compute.tensor_loop"},
    {"input.workers", "host.synchronisation"},
    {"compute.attention", "compute.fusible_chain"},
    {"compute.attention", "compute.low_precision"},
    {"optimizer.per_parameter", "host.tiny_operators"},
    {"compute.fusible_chain", "host.tiny_operators"},
    {"cpu.throttled", "cpu.contention"},
};

constexpr Rivals kRivals[] = {
    {"cpu.contention", "cpu.threads"},  // more threads where others take the processors
    {"cpu.throttled", "cpu.threads"},
    {"compute.recompute", "memory.device_full"},
};

bool stands_first(const Finding& a, const Finding& b) {
  const auto rank = [](const Finding& finding) {
    if (finding.severity == FindingSeverity::kNote) return 2;
    return finding.gain && finding.gain->time_ns > 0 && finding.confidence != Confidence::kLow ? 0 : 1;
  };
  if (rank(a) != rank(b)) return rank(a) < rank(b);
  const int64_t gain_a = a.gain ? a.gain->time_ns : 0, gain_b = b.gain ? b.gain->time_ns : 0;
  return gain_a > gain_b;
}

bool shares_most(const Finding& stronger, const Finding& silent) {
  const int64_t whole = silent.claims.total_ns();
  return whole > 0 && 2 * intersect(stronger.claims, silent.claims).total_ns() >= whole;
}

bool explains(const Finding& stronger, const Finding& silent) {
  const bool is_listed = std::any_of(std::begin(kExplains), std::end(kExplains), [&](const Explains& pair) {
    return pair.stronger == stronger.id && pair.silent == silent.id;
  });
  return is_listed && shares_most(stronger, silent);
}

bool are_rivals(const Finding& a, const Finding& b) {
  return std::any_of(std::begin(kRivals), std::end(kRivals), [&](const Rivals& pair) {
    return (pair.one == a.id && pair.other == b.id) || (pair.one == b.id && pair.other == a.id);
  });
}

}  // namespace

std::span<const Explains> explanations() { return kExplains; }
std::span<const Rivals> rivals() { return kRivals; }

Advice make_advice(Findings findings) {
  Advice advice;
  std::stable_sort(findings.begin(), findings.end(), stands_first);
  Findings found;
  for (Finding& finding : findings) {
    if (finding.state == FindingState::kFound)
      found.push_back(std::move(finding));
    else if (finding.state == FindingState::kCannotJudge)
      advice.cannot_judge.push_back(std::move(finding));
  }
  // Who is silent explains nothing himself; where two explain each other, the one that saves more stands.
  std::vector<bool> is_silent(found.size(), false);
  for (size_t i = 0; i < found.size(); ++i) {
    for (size_t j = 0; j < found.size(); ++j) {
      if (i == j || is_silent[i] || is_silent[j]) continue;
      if (explains(found[i], found[j]) || (i < j && are_rivals(found[i], found[j]))) is_silent[j] = true;
    }
  }
  for (size_t i = 0; i < found.size(); ++i)
    (is_silent[i] ? advice.explained : advice.found).push_back(std::move(found[i]));
  return advice;
}

Advice advice(const AnalyzedTrace& analyzed) {
  Findings findings;
  for (Finding& finding : find_findings(analyzed, RuleTopic::kTraining)) {
    if (finding.id == "step.waits_for") continue;
    // Where it is not known what the step waits for, no time is promised.
    const bool is_about_time = finding.state == FindingState::kFound && finding.gain.has_value();
    if (is_about_time && analyzed.get<judge>().waits_for == WaitsFor::kUnknown) {
      finding.state = FindingState::kCannotJudge;
      finding.sentence = analyzed.get<judge>().sentence;
      finding.gain.reset();
    }
    findings.push_back(std::move(finding));
  }
  return make_advice(std::move(findings));
}

Verdict answer(const AnalyzedTrace& analyzed) {
  Verdict verdict = analyzed.get<judge>();
  const Findings& found = analyzed.get<advice>().found;
  const bool is_judged = verdict.waits_for != WaitsFor::kUnknown;
  if (!found.empty() && found.front().severity != FindingSeverity::kNote && is_judged) {
    verdict.sentence = found.front().sentence;
  } else if (is_judged && verdict.sentence.ends_with('.')) {
    verdict.sentence.insert(verdict.sentence.size() - 1, "; nothing stands out");
  }
  if (!is_judged) return verdict;
  for (const Finding& finding : find_findings(analyzed, RuleTopic::kRecording)) {
    if (level_of(finding) != HealthLevel::kWrong) continue;
    verdict.sentence += " Beware, the recording is flawed: " + finding.sentence;
    break;
  }
  return verdict;
}

}  // namespace skyline::analyze
