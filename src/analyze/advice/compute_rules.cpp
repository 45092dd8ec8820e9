#include "analyze/advice/compute_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "analyze/advice/saying.h"
#include "analyze/advice/training_facts.h"
#include "analyze/core/saturate.h"
#include "base/median.h"

namespace skyline::analyze {
namespace {

// Some tensor (a value with dimensions) among the inputs is of this type.
bool takes_tensor_of(const Trace& trace, uint32_t op, std::initializer_list<std::string_view> types) {
  const SignatureId signature = trace.ops.signature[op];
  if (!signature.exists()) return false;
  const uint32_t first = trace.signatures.first_input[signature.value];
  for (uint32_t input = first; input < first + trace.signatures.input_count[signature.value]; ++input) {
    const StringId type = trace.inputs.type[input];
    if (trace.inputs.rank[input] <= 0 || !type.exists()) continue;
    if (std::find(types.begin(), types.end(), trace.strings[type]) != types.end()) return true;
  }
  return false;
}

bool is_heavy(OpKind kind) { return kind == OpKind::kMatmul || kind == OpKind::kConvolution; }

// Operators by signature: what follows from it is worked out once.
template <typename Of>
std::vector<uint8_t> by_signature(const Trace& trace, Of of) {
  std::vector<uint8_t> known(trace.signatures.size(), 2), answer(trace.ops.size(), 0);
  for (uint32_t op = 0; op < trace.ops.size(); ++op) {
    const SignatureId signature = trace.ops.signature[op];
    if (!signature.exists()) continue;
    uint8_t& value = known[signature.value];
    if (value == 2) value = of(op) ? 1 : 0;
    answer[op] = value;
  }
  return answer;
}

// At least half of the tensors of floating-point numbers among the inputs.
bool is_mostly_double(const Trace& trace, uint32_t op) {
  const SignatureId signature = trace.ops.signature[op];
  const uint32_t first = trace.signatures.first_input[signature.value];
  int64_t doubles = 0, others = 0;
  for (uint32_t input = first; input < first + trace.signatures.input_count[signature.value]; ++input) {
    const StringId type = trace.inputs.type[input];
    if (trace.inputs.rank[input] <= 0 || !type.exists()) continue;
    const std::string_view name = trace.strings[type];
    doubles += name == "double" ? 1 : 0;
    others += name == "float" || name == "c10::Half" || name == "c10::BFloat16" ? 1 : 0;
  }
  return doubles > 0 && doubles >= others;
}

const std::initializer_list<std::string_view> kFloat = {"float"};
const std::initializer_list<std::string_view> kHalves = {"c10::Half", "c10::BFloat16"};

// How many rows the first matrix has (tokens of a batch) makes no difference to speak of.
bool has_unaligned_dims(const Trace& trace, uint32_t op) {
  bool is_first = true;
  const SignatureId signature = trace.ops.signature[op];
  const uint32_t first = trace.signatures.first_input[signature.value];
  for (uint32_t input = first; input < first + trace.signatures.input_count[signature.value]; ++input) {
    const int32_t rank = trace.inputs.rank[input];
    if (rank < 2) continue;
    const uint32_t sizes = trace.inputs.first_size[input];
    for (const int32_t dim : {rank - 2, rank - 1}) {
      const bool is_rows = is_first && dim == rank - 2;
      if (!is_rows && trace.input_sizes.size_along[sizes + static_cast<uint32_t>(dim)] % 8 != 0) return true;
    }
    is_first = false;
  }
  return false;
}

Finding types_missing(std::string_view id) {
  return cannot_judge(id, "Types and shapes of inputs were not recorded.", std::string(kShapesCure));
}

}  // namespace

void rule_float64(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "compute.float64";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  if (!facts.has_types) {
    out.push_back(types_missing(kId));
    return;
  }
  const auto is_double =
      by_signature(facts.trace, [&](uint32_t op) { return is_mostly_double(facts.trace, op); });
  const Work work = facts.work(
      [&](uint32_t op) { return is_double[op] != 0 && facts.places.is_operator[op] && !facts.is_input(op); });
  const int64_t time = facts.per_step(work.moments);
  if (facts.share(time) < 0.05) {
    out.push_back(not_found(kId, "Little is computed in float64."));
    return;
  }
  // Half the bytes and half the lanes on a CPU; devices have far fewer units for it.
  const int64_t gain = facts.has_device ? time - time / 32 : time / 2;
  out.push_back(found_work(facts, work,
                           {.id = kId,
                            .what = "computes in float64",
                            .cure = "float32, often lost by an array of NumPy or torch.float64,",
                            .gain_ns = gain}));
}

void rule_low_precision(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "compute.low_precision";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  if (!facts.has_types) {
    out.push_back(types_missing(kId));
    return;
  }
  const std::vector<Device>& devices = facts.trace.info.devices;
  const bool is_able = facts.has_device ? !devices.empty() && devices.front().compute_major >= 8
                                        : facts.setting("machine.bfloat16").value_or("none") != "none";
  const bool is_known = facts.has_device ? !devices.empty() && devices.front().compute_major >= 0
                                         : facts.setting("machine.bfloat16").has_value();
  const auto is_float =
      by_signature(facts.trace, [&](uint32_t op) { return takes_tensor_of(facts.trace, op, kFloat); });
  const Work work = facts.work([&](uint32_t op) { return is_float[op] != 0 && is_heavy(facts.kind(op)); });
  const int64_t time = facts.per_step(work.moments);
  if (facts.share(time) < 0.5 || (is_known && !is_able)) {
    out.push_back(not_found(
        kId, "Products of matrices in float32 are not most of the step, or bfloat16 is no faster here."));
    return;
  }
  if (!is_known) {
    out.push_back(cannot_judge(kId, "Whether this processor multiplies bfloat16 faster was not recorded.",
                               std::string(kSampleCure)));
    return;
  }
  out.push_back(found_work(facts, work,
                           {.id = kId,
                            .what = "multiplies matrices in float32",
                            .cure = "torch.autocast with bfloat16",
                            .gain_ns = time / 2,
                            .confidence = Confidence::kMedium}));
}

void rule_unaligned_matmul(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "compute.unaligned_matmul";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  if (!facts.has_types) {
    out.push_back(types_missing(kId));
    return;
  }
  const auto is_unaligned = by_signature(facts.trace, [&](uint32_t op) {
    return takes_tensor_of(facts.trace, op, kHalves) && has_unaligned_dims(facts.trace, op);
  });
  const Work work = facts.work([&](uint32_t op) {
    if (is_unaligned[op] == 0 || facts.kind(op) != OpKind::kMatmul) return false;
    const std::string_view name = facts.trace.slice_name(facts.trace.ops.slice[op]);
    return name == "aten::mm" || name == "aten::bmm" || name == "aten::addmm" || name == "aten::baddbmm";
  });
  const int64_t time = facts.per_step(work.moments);
  if (facts.share(time) < kWorthSaying) {
    out.push_back(not_found(kId, "Matrices in half precision have dimensions that are multiples of 8."));
    return;
  }
  out.push_back(
      found_work(facts, work,
                 {.id = kId,
                  .what = "multiplies matrices in half precision with dimensions that are no multiples of 8",
                  .cure = "padding them (vocabulary, heads, hidden size)",
                  .gain_ns = time / 2,
                  .confidence = Confidence::kMedium}));
}

void rule_conversions(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "compute.conversions";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  const Work work =
      facts.work([&](uint32_t op) { return facts.kind(op) == OpKind::kConversion && !facts.is_input(op); });
  const int64_t time = facts.per_step(work.moments);
  if (facts.share(time) < 0.05) {
    out.push_back(not_found(kId, "Little time goes into conversions between types."));
    return;
  }
  out.push_back(found_work(facts, work,
                           {.id = kId,
                            .what = "converts tensors from one type to another",
                            .cure = "keeping one type, or converting once before the loop,",
                            .gain_ns = time}));
}

void rule_recompute(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "compute.recompute";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  const Work work = facts.work([&](uint32_t op) { return facts.places.of[op].phase == Phase::kRecompute; });
  const int64_t time = facts.per_step(work.moments);
  if (facts.share(time) < 0.10) {
    out.push_back(not_found(kId, "Checkpointing recomputes little."));
    return;
  }
  int64_t peak = 0, capacity = 0;
  for (uint32_t row = 0; row < facts.trace.memory.size(); ++row) {
    if (facts.trace.memory.device_type[row] > 0 && facts.trace.memory.total_allocated[row] > 0)
      peak = std::max(peak, facts.trace.memory.total_allocated[row]);
  }
  if (!facts.trace.info.devices.empty()) capacity = facts.trace.info.devices.front().memory_bytes;
  const bool is_known = peak > 0 && capacity > 0;
  if (is_known && static_cast<double>(peak) >= 0.7 * static_cast<double>(capacity)) {
    out.push_back(not_found(kId, "What checkpointing recomputes is needed to fit into memory."));
    return;
  }
  out.push_back(found_work(
      facts, work,
      {.id = kId,
       .what = is_known ? fmt::format("recomputes activations although only {} of {} are in use",
                                      bytes_text(peak), bytes_text(capacity))
                        : "recomputes activations",
       .cure = is_known ? "checkpointing less" : "checkpointing less, if there is memory to spare,",
       .gain_ns = time,
       .confidence = is_known ? Confidence::kHigh : Confidence::kMedium}));
}

void rule_gather(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "compute.gather";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  const Work work =
      facts.work([&](uint32_t op) { return facts.kind(op) == OpKind::kGather && !facts.is_input(op); });
  const int64_t time = facts.per_step(work.moments);
  if (facts.share(time) < 0.30) {
    out.push_back(not_found(kId, "Gathering, scattering and sorting take less than 30 % of the step."));
    return;
  }
  out.push_back(found_work(facts, work,
                           {.id = kId,
                            .what = "gathers, scatters or sorts",
                            .cure = "sorted or fewer indices, or one fused embedding,",
                            .gain_ns = time,
                            .confidence = Confidence::kMedium}));
}

// Numbers too small for their type (below 1e-38 in float32) cost some processors a hundred times as much.
// Values are not recorded, but a network whose numbers fade away shows it: the same calls take longer and
// longer.
void rule_denormals(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "compute.denormals";
  constexpr size_t kEnoughCalls = 20;
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  const Trace& trace = facts.trace;
  if (facts.has_device || !facts.has_types) {
    out.push_back(facts.has_device ? not_found(kId, "The device has no slow path for very small numbers.")
                                   : types_missing(kId));
    return;
  }
  using Key = std::tuple<StringId, SignatureId, uint32_t>;
  std::map<Key, std::vector<uint32_t>> groups;
  for (uint32_t op = 0; op < trace.ops.size(); ++op) {
    if (facts.is_outermost(op) && facts.is_in_steps(op) && !facts.is_input(op))
      groups[{trace.slices.name[trace.ops.slice[op].value], trace.ops.signature[op],
              facts.places.of[op].line}]
          .push_back(op);
  }
  int64_t steady_ns = 0, slower_ns = 0;
  uint32_t worst = kNoRow;
  int64_t worst_ns = 0;
  std::vector<Interval> moments;
  const auto dur = [&](uint32_t op) { return trace.slices.dur_ns[trace.ops.slice[op].value]; };
  for (auto& [key, ops] : groups) {
    if (ops.size() < kEnoughCalls) continue;
    const size_t part = ops.size() / 4;
    const auto median_of = [&](size_t from) {
      std::vector<int64_t> times;
      for (size_t i = from; i < from + part; ++i) times.push_back(dur(ops[i]));
      return lower_median(times);
    };
    const int64_t first = median_of(0), last = median_of(ops.size() - part);
    // Even the shortest: whoever is preempted now and then is not slow each time.
    int64_t shortest = INT64_MAX;
    for (size_t i = ops.size() - part; i < ops.size(); ++i) shortest = std::min(shortest, dur(ops[i]));
    if (shortest < 3 * first || last < 20'000) {
      if (last < first + first / 2) steady_ns += last;
      continue;
    }
    slower_ns += (last - first) * static_cast<int64_t>(part);
    for (size_t i = ops.size() - part; i < ops.size(); ++i) {
      const SliceId slice = trace.ops.slice[ops[i]];
      moments.push_back({trace.slices.start_ns[slice.value], trace.slices.end_ns(slice)});
    }
    if (last - first > worst_ns) {
      worst_ns = last - first;
      worst = ops.back();
    }
  }
  // If everything slows down it is the machine.
  const int64_t time = facts.step_count > 0 ? slower_ns / std::max<int64_t>(1, facts.step_count / 4) : 0;
  if (worst == kNoRow || steady_ns == 0 || facts.share(time) < 0.05) {
    out.push_back(not_found(kId, "No operator becomes slower and slower on equal shapes."));
    return;
  }
  out.push_back(found_time(
      facts, {.id = kId,
              .what = "goes into operators that are three times slower at the end than at the beginning, "
                      "as if their numbers had become too small",
              .cure = "torch.set_flush_denormal(True)",
              .place = facts.place_of(worst),
              .claims = IntervalSet::of(std::move(moments)),
              .time_ns = time,
              .gain_ns = time,
              .confidence = Confidence::kLow}));
}

}  // namespace skyline::analyze
