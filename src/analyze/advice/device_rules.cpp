#include "analyze/advice/device_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

// Parts of kernels' names that tell of tensor cores: those that NVIDIA's libraries have had since Volta, and
// the attention kernels that are built on them.
constexpr std::array<std::string_view, 30> kTensorCoreNames = {"884",
                                                               "1688",
                                                               "16816",
                                                               "i8816",
                                                               "hmma",
                                                               "wgmma",
                                                               "tcgen05",
                                                               "nvjet",
                                                               "xmma_",
                                                               "conv1x1",
                                                               "dgrad_1x1_stride_2x2",
                                                               "first_layer_wgrad_kernel",
                                                               "conv2d_c1_k1",
                                                               "direct_group",
                                                               "tensorop",
                                                               "tensor16x",
                                                               "flash_fwd",
                                                               "flash_bwd",
                                                               "fmha",
                                                               "cudnn_generated_fort_native_sdpa",
                                                               "gemm_bf16",
                                                               "gemm_f16",
                                                               "gemm_e4m3",
                                                               "gemm_e5m2",
                                                               "cutlass3x",
                                                               "sm90_",
                                                               "sm100_",
                                                               "deep_gemm",
                                                               "tf32",
                                                               "flash_attn"};

bool names_tensor_cores(std::string_view name) {
  return std::any_of(kTensorCoreNames.begin(), kTensorCoreNames.end(),
                     [&](std::string_view part) { return name.find(part) != name.npos; });
}

bool names_layout_change(std::string_view name) {
  return name.find("nchwToNhwc") != name.npos || name.find("nhwcToNchw") != name.npos ||
         name.find("nchw2nhwc") != name.npos || name.find("nhwc2nchw") != name.npos ||
         name.find("NchwToNhwc") != name.npos || name.find("batched_transpose_") != name.npos;
}

bool names_fp32_gemm(std::string_view name) {
  return (name.find("sgemm") != name.npos || name.find("gemm_f32f32_f32") != name.npos) &&
         name.find("tf32") == name.npos;
}

bool names_allocation(std::string_view name) {
  return name == "cudaMalloc" || name == "cudaFree" || name == "hipMalloc" || name == "hipFree" ||
         name == "cudaHostAlloc" || name == "cuMemAlloc_v2" || name == "cuMemUnmap" || name == "cuMemMap";
}

bool names_wait(std::string_view name) { return name.find("Synchronize") != name.npos; }
bool names_host_to_device(std::string_view name) {
  return name.find("HtoD") != name.npos || name.find("HostToDevice") != name.npos;
}
bool names_pageable_copy(std::string_view name) {
  return names_host_to_device(name) && name.find("ageable") != name.npos;
}

// Moments of device activities by name, within steps.
struct Named {
  IntervalSet moments;
  int64_t total_ns = 0, count = 0;
  uint32_t op = kNoRow;  // of the longest
  std::vector<SliceId> slices;
};

Named activities_named(const TrainingFacts& facts, bool (*test)(std::string_view)) {
  const Trace& trace = facts.trace;
  PerName<bool> is_it(trace.strings, test);
  std::vector<Interval> moments;
  Named named;
  int64_t longest = -1;
  for (uint32_t activity = 0; activity < trace.activities.size(); ++activity) {
    const SliceId slice = trace.activities.slice[activity];
    if (!is_it(trace.slices.name[slice.value])) continue;
    const int64_t start = trace.slices.start_ns[slice.value], dur = trace.slices.dur_ns[slice.value];
    if (facts.all.total_within(start, plus(start, 1)) == 0) continue;
    moments.push_back({start, plus(start, dur)});
    named.total_ns = plus(named.total_ns, dur);
    ++named.count;
    if (dur > longest) {
      longest = dur;
      named.op = facts.op_of_activity()[activity];
      named.slices = {slice};
    }
  }
  named.moments = IntervalSet::of(std::move(moments));
  return named;
}

int64_t compute_major(const Trace& trace) {
  return trace.info.devices.empty() ? -1 : trace.info.devices.front().compute_major;
}

bool is_amd(const Trace& trace) {
  return !trace.info.devices.empty() && trace.info.devices.front().name.find("AMD") != std::string::npos;
}

IntervalSet device_idle(const TrainingFacts& facts) {
  return subtract(facts.all, facts.analyzed.get<ActivityView>().covered());
}

}  // namespace

void rule_tensor_cores(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "device.tensor_cores";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  const Trace& trace = facts.trace;
  if (!facts.has_device || is_amd(trace)) return;
  if (compute_major(trace) < 0) {
    out.push_back(cannot_judge(kId, "Which device it was, and whether it has tensor cores, was not recorded.",
                               "Record with torch.profiler, which writes deviceProperties."));
    return;
  }
  const Named used = activities_named(facts, names_tensor_cores);
  const Work work = facts.work([&](uint32_t op) {
    return facts.kind(op) == OpKind::kMatmul || facts.kind(op) == OpKind::kConvolution;
  });
  const int64_t time = facts.per_step(work.moments);
  if (compute_major(trace) < 7 || used.count > 0 || facts.share(time) < kWorthSaying) {
    out.push_back(not_found(
        kId, used.count > 0 ? "Tensor cores are used." : "Nothing that tensor cores could do takes time."));
    return;
  }
  // Eight times as fast on paper, about three times in trainings; what is written and read in between
  // remains.
  out.push_back(found_time(facts, {.id = kId,
                                   .what = "is matrix products and convolutions that no tensor core computes",
                                   .cure = "mixed precision (torch.autocast)",
                                   .place = facts.place_of(work.op),
                                   .claims = work.moments,
                                   .time_ns = time,
                                   .gain_ns = time * 2 / 3,
                                   .confidence = Confidence::kMedium,
                                   .figures = {"device.compute"},
                                   .count = work.calls}));
}

void rule_tf32(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "device.tf32";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  const Trace& trace = facts.trace;
  if (!facts.has_device || is_amd(trace) || compute_major(trace) < 8) return;
  const Named slow = activities_named(facts, names_fp32_gemm);
  const int64_t time = facts.per_step(slow.moments);
  const std::optional<std::string_view> precision = facts.setting("torch.float32_matmul_precision");
  if (facts.share(time) < kWorthSaying || (precision && *precision != "highest")) {
    out.push_back(not_found(kId, "Matrix products in full float32 take little time."));
    return;
  }
  out.push_back(found_time(facts, {.id = kId,
                                   .what = "multiplies float32 matrices without TF32",
                                   .cure = "torch.set_float32_matmul_precision(\"high\")",
                                   .place = facts.place_of(slow.op),
                                   .claims = slow.moments,
                                   .time_ns = time,
                                   .gain_ns = time * 2 / 3,
                                   .confidence = Confidence::kMedium,
                                   .slices = slow.slices,
                                   .count = slow.count}));
}

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

void rule_pageable_copies(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "input.pageable_copies";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  if (!facts.has_device) return;
  const Named copies = activities_named(facts, names_pageable_copy);
  // The host waits for such copies, too, whatever it is asked to do.
  const IntervalSet exposed =
      subtract(copies.moments, analyzed.get<ActivityView>().covered(
                                   [](const ActivitySpan& row) { return row.kind != DeviceClass::kCopy; }));
  const int64_t time = facts.per_step(exposed);
  if (!facts.is_in_most_steps(copies.count) || facts.share(time) < kWorthSaying) {
    out.push_back(not_found(kId, "Copies from pageable memory take little time."));
    return;
  }
  out.push_back(
      found_time(facts, {.id = kId,
                         .what = "copies from pageable memory to the device while nothing else runs there",
                         .cure = "pin_memory=True in the DataLoader and .to(device, non_blocking=True)",
                         .place = facts.place_of(copies.op),
                         .claims = exposed,
                         .time_ns = time,
                         .gain_ns = time,
                         .figures = {"device.exposed_copy"},
                         .slices = copies.slices,
                         .count = copies.count}));
}

void rule_blocking_copies(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "input.blocking_copies";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  const Trace& trace = facts.trace;
  if (!facts.has_device) return;
  const Named copies = activities_named(facts, names_host_to_device);
  // A wait right behind the copy, in the same operator.
  PerName<bool> waits(trace.strings, names_wait);
  std::map<uint32_t, bool> copies_to_device;
  for (uint32_t activity = 0; activity < trace.activities.size(); ++activity) {
    const uint32_t op = facts.op_of_activity()[activity];
    if (op != kNoRow && names_host_to_device(trace.slice_name(trace.activities.slice[activity])))
      copies_to_device[op] = true;
  }
  std::vector<Interval> waiting;
  for (uint32_t launch = 0; launch < trace.launches.size(); ++launch) {
    const SliceId slice = trace.launches.slice[launch], op = trace.launches.op[launch];
    if (!op.exists() || !waits(trace.slices.name[slice.value]) ||
        !copies_to_device.contains(trace.slices.detail[op.value]))
      continue;
    waiting.push_back({trace.slices.start_ns[slice.value], trace.slices.end_ns(slice)});
  }
  const auto count = static_cast<int64_t>(waiting.size());
  const IntervalSet other_work = analyzed.get<ActivityView>().covered(
      [](const ActivitySpan& row) { return row.kind != DeviceClass::kCopy; });
  const IntervalSet claims = subtract(unite(IntervalSet::of(std::move(waiting)), copies.moments), other_work);
  const int64_t time = facts.per_step(claims);
  if (count == 0 || !facts.is_in_most_steps(count) || facts.share(time) < 0.02) {
    out.push_back(not_found(kId, "The host does not wait for copies to the device."));
    return;
  }
  out.push_back(found_time(facts, {.id = kId,
                                   .what = "waits for copies to the device",
                                   .cure = "non_blocking=True from pinned memory, one batch ahead,",
                                   .place = facts.place_of(copies.op),
                                   .claims = claims,
                                   .time_ns = time,
                                   .gain_ns = time,
                                   .figures = {"device.exposed_copy"},
                                   .slices = copies.slices,
                                   .count = count}));
}

void rule_layout(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "device.layout";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  if (!facts.has_device) return;
  const Named changes = activities_named(facts, names_layout_change);
  const int64_t time = facts.per_step(changes.moments);
  if (facts.share(time) < 0.05) {
    out.push_back(not_found(kId, "Tensors are rarely rearranged for convolutions."));
    return;
  }
  out.push_back(found_time(facts, {.id = kId,
                                   .what = "rearranges tensors between NCHW and NHWC",
                                   .cure = "model and inputs in torch.channels_last",
                                   .place = facts.place_of(changes.op),
                                   .claims = changes.moments,
                                   .time_ns = time,
                                   .gain_ns = time,
                                   .slices = changes.slices,
                                   .count = changes.count}));
}

void rule_small_grids(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "device.small_grids";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  const Trace& trace = facts.trace;
  if (!facts.has_device) return;
  if (trace.activities.shape.empty()) {
    out.push_back(cannot_judge(kId, "How kernels were launched was not recorded.",
                               "Record with torch.profiler, which writes grids."));
    return;
  }
  std::vector<Interval> small;
  double unused = 0;
  int64_t count = 0, kernels_ns = 0, small_ns = 0;
  for (uint32_t activity = 0; activity < trace.activities.size(); ++activity) {
    const SliceId slice = trace.activities.slice[activity];
    const KernelShapeId shape = trace.activities.shape[activity];
    if (trace.category(slice) != Category::kKernel || !shape.exists()) continue;
    const int64_t start = trace.slices.start_ns[slice.value], dur = trace.slices.dur_ns[slice.value];
    if (facts.all.total_within(start, plus(start, 1)) == 0) continue;
    kernels_ns += dur;
    const double blocks = trace.kernel_shapes.blocks_per_sm[shape.value];
    if (blocks < 0 || blocks >= 1 || names_communication(trace.slice_name(slice))) continue;
    small.push_back({start, plus(start, dur)});
    unused += (1 - blocks) * static_cast<double>(dur);
    small_ns += dur;
    ++count;
  }
  const IntervalSet claims = IntervalSet::of(std::move(small));
  const int64_t time = facts.per_step(claims);
  if (kernels_ns == 0 || 10 * small_ns < kernels_ns || facts.share(time) < 0.05) {
    out.push_back(not_found(kId, "Kernels have blocks for every multiprocessor."));
    return;
  }
  const auto gain = static_cast<int64_t>(static_cast<double>(time) * unused / static_cast<double>(small_ns));
  out.push_back(
      found_time(facts, {.id = kId,
                         .what = "runs kernels with fewer blocks than the device has multiprocessors",
                         .cure = "larger batches, or fewer and larger operators,",
                         .claims = claims,
                         .time_ns = time,
                         .gain_ns = gain,
                         .confidence = Confidence::kMedium,
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
