#include "analyze/advice/kernel_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "analyze/advice/named_activities.h"
#include "analyze/advice/saying.h"
#include "analyze/advice/training_facts.h"
#include "analyze/core/device_class.h"
#include "analyze/core/recorded.h"
#include "analyze/core/saturate.h"

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

int64_t compute_major(const Trace& trace) {
  return trace.info.devices.empty() ? -1 : trace.info.devices.front().compute_major;
}

bool is_amd(const Trace& trace) {
  return !trace.info.devices.empty() && trace.info.devices.front().name.find("AMD") != std::string::npos;
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
  const NamedActivities used = activities_named(facts, names_tensor_cores);
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
  out.push_back(found_work(facts, work,
                           {.id = kId,
                            .what = "is matrix products and convolutions that no tensor core computes",
                            .cure = "mixed precision (torch.autocast)",
                            .gain_ns = time * 2 / 3,
                            .confidence = Confidence::kMedium,
                            .figures = {"device.compute"}}));
}

void rule_tf32(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "device.tf32";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  const Trace& trace = facts.trace;
  if (!facts.has_device || is_amd(trace) || compute_major(trace) < 8) return;
  const NamedActivities slow = activities_named(facts, names_fp32_gemm);
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

void rule_layout(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "device.layout";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  if (!facts.has_device) return;
  const NamedActivities changes = activities_named(facts, names_layout_change);
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

}  // namespace skyline::analyze
