#include "analyze/advice/machine_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "analyze/advice/saying.h"
#include "analyze/advice/training_facts.h"
#include "analyze/core/saturate.h"

namespace skyline::analyze {
namespace {

constexpr int64_t kDividesWellNs = 1'000'000;  // shorter calls gain nothing from more threads
constexpr double kPageFaultNs = 700;           // to fetch and clear one page

// How much a counter of the trainer has grown, and in what time.
struct Growth {
  double by = 0;
  int64_t in_ns = 0;
  double share() const { return in_ns <= 0 ? 0 : by / static_cast<double>(in_ns); }  // of one nanosecond each
};

std::optional<Growth> growth_of(const Trace& trace, std::string_view name) {
  int64_t first_ns = INT64_MAX, last_ns = INT64_MIN;
  double first = 0, last = 0;
  for (uint32_t row = 0; row < trace.process_counters.size(); ++row) {
    const StringId counter = trace.process_counters.name[row];
    const ProcessId process = trace.process_counters.process[row];
    if (!counter.exists() || trace.strings[counter] != name || process.value >= trace.processes.size())
      continue;
    const StringId role = trace.processes.role[process.value];
    if (role.exists() && trace.strings[role] != "trainer") continue;
    const int64_t time = trace.process_counters.time_ns[row];
    if (time < first_ns) {
      first_ns = time;
      first = trace.process_counters.value[row];
    }
    if (time >= last_ns) {
      last_ns = time;
      last = trace.process_counters.value[row];
    }
  }
  if (last_ns <= first_ns || last < first) return std::nullopt;
  return Growth{last - first, last_ns - first_ns};
}

// The host's time inside operators, threads that train together.
IntervalSet operator_time(const TrainingFacts& facts) {
  std::vector<Interval> times;
  for (const Stretch& stretch : facts.stretches()) {
    if (stretch.op != kNoRow) times.push_back({stretch.start_ns, stretch.end_ns});
  }
  return intersect(IntervalSet::of(std::move(times)), facts.all);
}

Finding counters_missing(std::string_view id, std::string_view what) {
  return cannot_judge(id, fmt::format("{} was not recorded, or for too short a time.", what),
                      std::string(kSampleCure));
}

}  // namespace

void rule_thread_count(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "cpu.threads";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  if (facts.has_device) return;  // the device does the work
  const std::optional<int64_t> threads = facts.number_setting("torch.threads"),
                               processors = facts.number_setting("machine.processors");
  if (!threads || !processors) {
    out.push_back(
        cannot_judge(kId, "How many threads torch uses, and how many processors there are, was not recorded.",
                     std::string(kSampleCure)));
    return;
  }
  std::vector<Interval> large;
  for (uint32_t op = 0; op < facts.trace.ops.size(); ++op) {
    const SliceId slice = facts.trace.ops.slice[op];
    if (!facts.is_outermost(op) || !facts.is_in_steps(op) || facts.is_input(op) ||
        facts.trace.slices.dur_ns[slice.value] < kDividesWellNs)
      continue;
    large.push_back({facts.trace.slices.start_ns[slice.value], facts.trace.slices.end_ns(slice)});
  }
  const IntervalSet claims = IntervalSet::of(std::move(large));
  const int64_t time = facts.per_step(claims);
  const FindingPlace place = facts.line_with({"set_num_threads("}, {});
  if (*threads > *processors) {
    const IntervalSet all_operators = operator_time(facts);
    const int64_t most = facts.per_step(all_operators);
    out.push_back(found_time(
        facts, {.id = kId,
                .what = fmt::format("is computed by {} threads on {} processors, which wait for each other",
                                    *threads, *processors),
                .cure = fmt::format("OMP_NUM_THREADS={}", *processors),
                .place = place,
                .claims = all_operators,
                .time_ns = most,
                .gain_ns = most - most * *processors / *threads,
                .confidence = Confidence::kMedium}));
    return;
  }
  if (*threads > 1 || *processors == 1 || facts.share(time) < 0.5) {
    out.push_back(not_found(
        kId, fmt::format("torch computes with {} threads on {} processors.", *threads, *processors)));
    return;
  }
  out.push_back(found_time(
      facts, {.id = kId,
              .what = fmt::format("is computed by one thread on {} processors", *processors),
              .cure = fmt::format("torch.set_num_threads({}) or OMP_NUM_THREADS", *processors),
              .place = place,
              .claims = claims,
              .time_ns = time,
              .gain_ns = time - time / *processors,
              // Who sets the variable may know of other work for the processors.
              .confidence = facts.setting("environment.OMP_NUM_THREADS") == "1" && place.file.empty()
                                ? Confidence::kLow
                                : Confidence::kMedium}));
}

void rule_cpu_contention(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "cpu.contention";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  const std::optional<Growth> user = growth_of(facts.trace, "cpu.user_ns"),
                              system = growth_of(facts.trace, "cpu.system_ns"),
                              switches = growth_of(facts.trace, "switches.involuntary");
  constexpr int64_t kEnoughNs = 1'000'000'000;
  if (!user || !system || !switches || facts.all_ns <= 0 || user->in_ns < kEnoughNs) {
    out.push_back(counters_missing(kId, "Processor time of the process"));
    return;
  }
  const IntervalSet claims = operator_time(facts);
  const double wanted = static_cast<double>(claims.total_ns()) / static_cast<double>(facts.all_ns);
  const double missing = wanted - user->share() - system->share();
  const double switches_per_second = switches->share() * 1e9;
  if (missing < 0.20 || switches_per_second < 10) {
    out.push_back(not_found(kId, "The process gets the processors that it wants."));
    return;
  }
  const auto lost = static_cast<int64_t>(missing * static_cast<double>(facts.step_ns));
  Finding finding =
      found_time(facts, {.id = kId,
                         .what = fmt::format("waits for a processor that others use ({:.0f} times a second)",
                                             switches_per_second),
                         .cure = "a machine of its own, or fewer processes and threads on it,",
                         .claims = claims,
                         .time_ns = lost,
                         .gain_ns = lost,
                         .confidence = Confidence::kMedium});
  out.push_back(std::move(finding));
}

void rule_cpu_throttled(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "cpu.throttled";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  const std::optional<Growth> throttled = growth_of(facts.trace, "cgroup.throttled_us");
  if (!throttled) {
    out.push_back(counters_missing(kId, "Whether the control group's quota stops the process"));
    return;
  }
  const double share = throttled->share() * 1e3;
  if (share < 0.01) {
    out.push_back(not_found(kId, "No quota stops the process."));
    return;
  }
  const auto lost = static_cast<int64_t>(std::min(share, 1.0) * static_cast<double>(facts.step_ns));
  out.push_back(found_time(facts, {.id = kId,
                                   .what = "is spent stopped by the control group's quota of processors",
                                   .cure = "fewer threads, or a larger quota,",
                                   .claims = facts.all,
                                   .time_ns = lost,
                                   .gain_ns = lost,
                                   .confidence = Confidence::kMedium}));
}

void rule_recorded_page_faults(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "memory.page_faults";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  const std::optional<Growth> faults = growth_of(facts.trace, "faults.minor"),
                              system = growth_of(facts.trace, "cpu.system_ns");
  if (!faults || !system) {
    out.push_back(counters_missing(kId, "The number of page faults"));
    return;
  }
  const double share = std::min(faults->share() * kPageFaultNs, system->share());
  if (share < 0.05) {
    out.push_back(not_found(kId, "Page faults take little time."));
    return;
  }
  const auto time = static_cast<int64_t>(std::min(share, 1.0) * static_cast<double>(facts.step_ns));
  Finding finding = found_time(
      facts, {.id = kId,
              .what = "is page faults, as freed memory goes back to the system and is fetched again",
              .cure = "MALLOC_TRIM_THRESHOLD_=4294967296 MALLOC_MMAP_THRESHOLD_=33554432, or jemalloc,",
              .time_ns = time,
              .gain_ns = time,
              .confidence = Confidence::kMedium,
              .count = static_cast<int64_t>(faults->by)});
  out.push_back(std::move(finding));
}

}  // namespace skyline::analyze
