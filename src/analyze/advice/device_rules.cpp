#include "analyze/advice/device_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analyze/advice/saying.h"
#include "analyze/advice/training_facts.h"
#include "analyze/core/activity_view.h"
#include "analyze/core/recorded.h"
#include "analyze/core/saturate.h"
#include "analyze/time/time_parts.h"
#include "base/median.h"

namespace skyline::analyze {
namespace {

bool names_allocation(std::string_view name) {
  return name == "cudaMalloc" || name == "cudaFree" || name == "hipMalloc" || name == "hipFree" ||
         name == "cudaHostAlloc" || name == "cuMemAlloc_v2" || name == "cuMemUnmap" || name == "cuMemMap";
}

IntervalSet device_idle(const TrainingFacts& facts) {
  return subtract(facts.all, facts.analyzed.get<ActivityView>().covered());
}

}  // namespace

void rule_launch_bound(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "device.launch_bound";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  const Trace& trace = facts.trace;
  if (!facts.has_device) return;
  if (!has_host_ranges(trace)) {
    out.push_back(cannot_judge(kId, "What the host does while the device idles was not recorded.",
                               "Record CPU activities, too."));
    return;
  }
  std::vector<int64_t> kernels;
  for (const SliceId slice : trace.activities.slice) {
    if (trace.category(slice) == Category::kKernel) kernels.push_back(trace.slices.dur_ns[slice.value]);
  }
  const IntervalSet idle = analyzed.get<TimeParts>().host_in(facts.all);
  const int64_t time = facts.per_step(idle);
  constexpr size_t kEnoughKernels = 50;
  if (kernels.size() < kEnoughKernels || lower_median(kernels) >= 10'000 || facts.share(time) < 0.15) {
    out.push_back(not_found(kId, "Kernels are long enough to hide their launches."));
    return;
  }
  out.push_back(found_time(
      facts,
      {.id = kId,
       .what = fmt::format("the device idles as the host launches {} kernels, half of them below 10 µs",
                           kernels.size()),
       .cure = "torch.compile, CUDA graphs or larger batches",
       .claims = idle,
       .time_ns = time,
       .gain_ns = time,
       .confidence = Confidence::kMedium,
       .figures = {"device.idle"}}));
}

void rule_idle_gaps(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "device.idle_gaps";
  constexpr int64_t kLongGapNs = 1'000'000;
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  if (!facts.has_device || !has_host_ranges(facts.trace)) return;
  if (facts.trace.steps.empty()) {
    out.push_back(cannot_judge(kId, "Without steps the start of the program cannot be told from training.",
                               "Mark steps with prof.step()."));
    return;
  }
  const IntervalSet idle = device_idle(facts);
  std::vector<Interval> gaps;
  for (const Interval& gap : idle.intervals()) {
    if (gap.end_ns - gap.start_ns > kLongGapNs) gaps.push_back(gap);
  }
  const auto count = static_cast<int64_t>(gaps.size());
  const IntervalSet claims = IntervalSet::of(gaps);
  const int64_t time = facts.per_step(claims);
  if (count < 3 || facts.share(facts.per_step(idle)) < 0.15 || facts.share(time) < 0.05) {
    out.push_back(not_found(kId, "The device has no long gaps."));
    return;
  }
  // What the host did meanwhile.
  std::map<uint32_t, std::pair<int64_t, uint32_t>> meanwhile;  // by line: time and the operator
  for (const Stretch& stretch : facts.stretches()) {
    const int64_t inside = claims.total_within(stretch.start_ns, stretch.end_ns);
    if (inside == 0) continue;
    std::pair<int64_t, uint32_t>& sum = meanwhile.try_emplace(stretch.place.line, 0, kNoRow).first->second;
    sum.first += inside;
    if (stretch.op != kNoRow) sum.second = stretch.op;
  }
  const auto most = std::max_element(meanwhile.begin(), meanwhile.end(), [](const auto& a, const auto& b) {
    return a.second.first < b.second.first;
  });
  const uint32_t op = most == meanwhile.end() ? kNoRow : most->second.second;
  FindingPlace place = most == meanwhile.end() ? FindingPlace() : facts.place_of_line(most->first);
  const std::string doing =
      op == kNoRow ? ""
                   : fmt::format(", most of all near {}", facts.trace.slice_name(facts.trace.ops.slice[op]));
  out.push_back(
      found_time(facts, {.id = kId,
                         .what = fmt::format("the device idles in {} gaps of more than 1 ms{}", count, doing),
                         .cure = "keeping it busy meanwhile (what the host does there, earlier or elsewhere)",
                         .place = std::move(place),
                         .claims = claims,
                         .time_ns = time,
                         .gain_ns = time,
                         .confidence = Confidence::kMedium,
                         .figures = {"device.idle"},
                         .count = count}));
}

void rule_device_allocator(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "device.allocator";
  constexpr int64_t kWorthItNs = 10'000'000;
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  const Trace& trace = facts.trace;
  if (!facts.has_device) return;
  if (trace.steps.empty()) {
    out.push_back(cannot_judge(kId, "Without steps the start of the program cannot be told from training.",
                               "Mark steps with prof.step()."));
    return;
  }
  if (trace.launches.size() == 0) {
    out.push_back(cannot_judge(kId, "Calls of the device's runtime were not recorded.",
                               "Record CUDA activities with the host's."));
    return;
  }
  PerName<bool> allocates(trace.strings, names_allocation);
  std::vector<Interval> calls;
  uint32_t op = kNoRow;
  for (uint32_t launch = 0; launch < trace.launches.size(); ++launch) {
    const SliceId slice = trace.launches.slice[launch];
    const int64_t start = trace.slices.start_ns[slice.value];
    if (!allocates(trace.slices.name[slice.value]) || facts.all.total_within(start, plus(start, 1)) == 0)
      continue;
    calls.push_back({start, trace.slices.end_ns(slice)});
    if (trace.launches.op[launch].exists()) op = trace.slices.detail[trace.launches.op[launch].value];
  }
  const auto count = static_cast<int64_t>(calls.size());
  const IntervalSet claims = IntervalSet::of(std::move(calls));
  if (claims.total_ns() < kWorthItNs || facts.share(facts.per_step_of_all(claims)) < kWorthSaying) {
    out.push_back(not_found(kId, "Steps get their memory from torch's cache."));
    return;
  }
  const int64_t time = facts.per_step_of_all(claims);
  out.push_back(found_time(facts, {.id = kId,
                                   .what = "asks the device for memory",
                                   .cure = "no empty_cache() in the loop, or expandable_segments:True,",
                                   .place = facts.place_of(op),
                                   .claims = claims,
                                   .time_ns = time,
                                   .gain_ns = time,
                                   .count = count}));
}

void rule_communication(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "communication.exposed";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  const TimeParts& parts = analyzed.get<TimeParts>();
  const IntervalSet claims = unite(parts.of(Part::kCommunication), parts.of(Part::kHostCommunication));
  const int64_t time = facts.per_step(claims);
  if (facts.share(time) < 0.10) {
    out.push_back(not_found(kId, "Little communication is exposed."));
    return;
  }
  out.push_back(found_time(
      facts, {.id = kId,
              .what = "is communication that no computation hides",
              .cure = "overlapping it (buckets, prefetch), sending less, or waiting less for slower ranks",
              .claims = claims,
              .time_ns = time,
              .gain_ns = time,
              .figures = {"device.exposed_communication"}}));
}

}  // namespace skyline::analyze
