#include "analyze/advice/pattern_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analyze/advice/saying.h"
#include "analyze/advice/training_facts.h"
#include "analyze/core/saturate.h"
#include "trace/marks.h"

namespace skyline::analyze {
namespace {

constexpr int64_t kFewestSelects = 10;
constexpr size_t kLongestBody = 16;
constexpr size_t kLongestChain = 10;
constexpr int64_t kFewestChains = 5;
constexpr int64_t kTinyNs = 10'000, kLongestGapNs = 50'000;
constexpr int64_t kManyOptimizerOps = 100;

int64_t start_of(const Trace& trace, uint32_t op) { return trace.slices.start_ns[trace.ops.slice[op].value]; }
int64_t end_of(const Trace& trace, uint32_t op) { return trace.slices.end_ns(trace.ops.slice[op]); }
TrackId track_of(const Trace& trace, uint32_t op) { return trace.slices.track[trace.ops.slice[op].value]; }

// On one thread, in one step.
bool are_together(const TrainingFacts& facts, uint32_t a, uint32_t b) {
  return track_of(facts.trace, a) == track_of(facts.trace, b) && facts.step_of(a) == facts.step_of(b);
}

bool has_input_with_dims(const Trace& trace, uint32_t op, uint32_t argument) {
  const SignatureId signature = trace.ops.signature[op];
  if (!signature.exists()) return false;
  const uint32_t first = trace.signatures.first_input[signature.value];
  for (uint32_t input = first; input < first + trace.signatures.input_count[signature.value]; ++input) {
    if (trace.inputs.argument[input] == argument && trace.inputs.rank[input] > 0) return true;
  }
  return false;
}

// Rows that a pattern has matched, to ask for their work.
class Matches {
 public:
  explicit Matches(size_t ops) : is_matched_(ops, 0) {}
  void add(uint32_t op) { is_matched_[op] = 1; }
  bool operator()(uint32_t op) const { return is_matched_[op] != 0; }

 private:
  std::vector<uint8_t> is_matched_;
};

}  // namespace

void rule_tensor_loop(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "compute.tensor_loop";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  const Trace& trace = facts.trace;
  const std::vector<uint32_t>& ops = facts.forward_ops();
  std::vector<Interval> moments;
  std::map<uint32_t, std::pair<int64_t, uint32_t>> lines;
  size_t first = 0, previous = 0;
  int64_t selects = 0, loops = 0;
  const auto end_run = [&] {
    if (selects >= kFewestSelects) {
      const int64_t start = start_of(trace, ops[first]), last = start_of(trace, ops[previous]);
      moments.push_back({start, last + (last - start) / (selects - 1)});
      std::pair<int64_t, uint32_t>& line =
          lines.try_emplace(facts.places.of[ops[first]].line, 0, ops[first]).first->second;
      line.first += last - start;
      ++loops;
    }
    selects = 0;
  };
  for (size_t at = 0; at < ops.size(); ++at) {
    if (facts.kind(ops[at]) != OpKind::kSelect) continue;
    const bool goes_on = selects > 0 && at - previous <= kLongestBody &&
                         are_together(facts, ops[at], ops[first]) &&
                         facts.places.of[ops[at]].line == facts.places.of[ops[first]].line;
    if (!goes_on) {
      end_run();
      first = at;
    }
    previous = at;
    ++selects;
  }
  end_run();
  const IntervalSet claims = intersect(IntervalSet::of(std::move(moments)), facts.all);
  const int64_t time = facts.per_step(claims);
  if (loops == 0 || facts.share(time) < kWorthSaying) {
    out.push_back(not_found(kId, "No loop in Python goes over the rows of a tensor."));
    return;
  }
  const auto most = std::max_element(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
    return a.second.first < b.second.first;
  });
  out.push_back(found_time(facts, {.id = kId,
                                   .what = "is a loop in Python over the rows of a tensor",
                                   .cure = "one operator on the whole tensor",
                                   .place = facts.place_of(most->second.second),
                                   .claims = claims,
                                   .time_ns = time,
                                   .gain_ns = time,
                                   .slices = {trace.ops.slice[most->second.second]},
                                   .count = loops}));
}

void rule_attention(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "compute.attention";
  constexpr size_t kBefore = 6, kBehind = 5;
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  const Trace& trace = facts.trace;
  const std::vector<uint32_t>& ops = facts.forward_ops();
  Matches whole(trace.ops.size()), between(trace.ops.size());
  uint32_t softmax = kNoRow;
  int64_t count = 0;
  const auto is_product = [&](size_t at) {
    const std::string_view name = trace.slice_name(trace.ops.slice[ops[at]]);
    return name == "aten::matmul" || name == "aten::bmm" || name == "aten::baddbmm" || name == "aten::einsum";
  };
  for (size_t at = 0; at < ops.size(); ++at) {
    if (facts.kind(ops[at]) != OpKind::kSoftmax) continue;
    size_t left = at, right = at;
    while (left > 0 && at - left < kBefore && !is_product(left)) --left;
    while (right + 1 < ops.size() && right - at < kBehind && !is_product(right)) ++right;
    const bool is_one = is_product(left) && is_product(right) && are_together(facts, ops[left], ops[right]);
    if (!is_one) continue;
    for (size_t op = left; op <= right; ++op) whole.add(ops[op]);
    for (size_t op = left + 1; op < right; ++op) between.add(ops[op]);
    softmax = ops[at];
    ++count;
  }
  const Work all = facts.work(whole);
  const int64_t time = facts.per_step(all.moments);
  if (count == 0 || facts.share(time) < 0.05) {
    out.push_back(not_found(kId, "No attention is put together from single operators."));
    return;
  }
  // The products remain; what is written between them does not.
  const Work gain = facts.work(between);
  out.push_back(found_time(facts, {.id = kId,
                                   .what = "is attention put together from matmul, softmax and matmul",
                                   .cure = "torch.nn.functional.scaled_dot_product_attention",
                                   .place = facts.place_of(softmax),
                                   .claims = all.moments,
                                   .time_ns = time,
                                   .gain_ns = facts.per_step(gain.moments),
                                   .confidence = Confidence::kMedium,
                                   .slices = {trace.ops.slice[softmax]},
                                   .count = count}));
}

void rule_fusible_chain(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "compute.fusible_chain";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  const Trace& trace = facts.trace;
  const std::vector<uint32_t>& ops = facts.forward_ops();
  struct Chain {
    std::vector<uint32_t> ops;
    int64_t count = 0, host_ns = 0;
    size_t length = 0;
  };
  std::map<std::vector<StringId>, Chain> chains;  // by names
  for (size_t at = 0; at < ops.size();) {
    size_t end = at;
    while (end < ops.size() && end - at < kLongestChain && facts.kind(ops[end]) == OpKind::kPointwise &&
           are_together(facts, ops[end], ops[at]))
      ++end;
    if (end - at >= 2) {
      std::vector<StringId> names;
      for (size_t i = at; i < end; ++i) names.push_back(trace.slices.name[trace.ops.slice[ops[i]].value]);
      Chain& chain = chains[std::move(names)];
      for (size_t i = at; i < end; ++i) {
        chain.ops.push_back(ops[i]);
        chain.host_ns += end_of(trace, ops[i]) - start_of(trace, ops[i]);
      }
      ++chain.count;
      chain.length = end - at;
    }
    at = std::max(end, at + 1);
  }
  std::vector<const Chain*> longest;
  for (const auto& [names, chain] : chains) {
    if (chain.count >= kFewestChains) longest.push_back(&chain);
  }
  std::stable_sort(longest.begin(), longest.end(),
                   [](const Chain* a, const Chain* b) { return a->host_ns > b->host_ns; });
  longest.resize(std::min<size_t>(longest.size(), 3));
  const Chain* best = nullptr;
  int64_t best_gain = 0, best_time = 0;
  Work best_work;
  for (const Chain* chain : longest) {
    Matches matches(trace.ops.size());
    for (const uint32_t op : chain->ops) matches.add(op);
    Work work = facts.work(matches);
    const int64_t time = facts.per_step(work.moments);
    const int64_t gain = time - time / static_cast<int64_t>(chain->length);
    if (gain <= best_gain) continue;
    best = chain;
    best_gain = gain;
    best_time = time;
    best_work = std::move(work);
  }
  if (best == nullptr || facts.share(best_time) < kWorthSaying) {
    out.push_back(not_found(kId, "No chain of elementwise operators takes much time."));
    return;
  }
  const FindingPlace place = facts.place_of(best_work.op);
  out.push_back(
      found_time(facts, {.id = kId,
                         .what = fmt::format("is a chain of {} elementwise operators", best->length),
                         .cure = "torch.compile of the function, or one fused operator,",
                         .place = place,
                         .claims = best_work.moments,
                         .time_ns = best_time,
                         .gain_ns = best_gain,
                         .confidence = Confidence::kMedium,
                         .slices = {trace.ops.slice[best->ops.front()]},
                         .count = best->count}));
}

void rule_tiny_operators(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "host.tiny_operators";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  const Trace& trace = facts.trace;
  if (facts.has_device) return;  // there the device's idle time tells (device.launch_bound)
  int64_t outermost = 0, tiny = 0;
  std::vector<Interval> moments;
  std::map<uint32_t, std::pair<int64_t, uint32_t>> lines;
  uint32_t previous = kNoRow;
  for (uint32_t op = 0; op < trace.ops.size(); ++op) {
    if (!facts.is_outermost(op) || !facts.is_in_steps(op) || facts.is_input(op)) continue;
    ++outermost;
    const int64_t start = start_of(trace, op), end = end_of(trace, op);
    if (end - start >= kTinyNs) {
      previous = kNoRow;
      continue;
    }
    ++tiny;
    // With the way from the one before, which is Python's and torch's.
    const bool follows = previous != kNoRow && track_of(trace, previous) == track_of(trace, op) &&
                         start - end_of(trace, previous) < kLongestGapNs;
    const int64_t from = follows ? end_of(trace, previous) : start;
    moments.push_back({from, end});
    std::pair<int64_t, uint32_t>& line = lines.try_emplace(facts.places.of[op].line, 0, op).first->second;
    line.first += end - from;
    previous = op;
  }
  const IntervalSet claims = IntervalSet::of(std::move(moments));
  const int64_t time = facts.per_step(claims);
  if (outermost == 0 || 10 * tiny < 3 * outermost || facts.share(time) < 0.30) {
    out.push_back(not_found(kId, "Operators are large enough for what calling them costs."));
    return;
  }
  const auto most = std::max_element(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
    return a.second.first < b.second.first;
  });
  out.push_back(found_time(
      facts,
      {.id = kId,
       .what = fmt::format("goes into {} operators of less than 10 µs, which cost more to call than to run",
                           tiny / facts.step_count),
       .cure = "torch.compile, larger batches or operators on whole tensors",
       .place = facts.place_of(most->second.second),
       .claims = claims,
       .time_ns = time,
       .gain_ns = time,
       .confidence = Confidence::kMedium,
       .count = tiny}));
}

void rule_conv_bias(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "compute.conv_bias";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  const Trace& trace = facts.trace;
  if (!facts.has_types) {
    out.push_back(cannot_judge(kId, "Inputs of convolutions were not recorded.", std::string(kShapesCure)));
    return;
  }
  const std::vector<uint32_t>& ops = facts.forward_ops();
  int64_t count = 0;
  uint32_t found = kNoRow;
  for (size_t at = 0; at + 1 < ops.size(); ++at) {
    const std::string_view name = trace.slice_name(trace.ops.slice[ops[at]]);
    if (!name.starts_with("aten::conv") || name.ends_with("backward") ||
        !has_input_with_dims(trace, ops[at], 2))
      continue;
    size_t next = at + 1;  // batch norms count their batches first
    while (next < ops.size() && next < at + 3 && trace.slice_name(trace.ops.slice[ops[next]]) == "aten::add_")
      ++next;
    if (next >= ops.size() || facts.kind(ops[next]) != OpKind::kBatchNorm) continue;
    ++count;
    if (found == kNoRow) found = ops[at];
  }
  if (found == kNoRow) {
    out.push_back(not_found(kId, "No convolution adds a bias that a batch norm takes away."));
    return;
  }
  Finding finding;
  finding.id = kId;
  finding.severity = FindingSeverity::kNote;  // small, and what it costs is inside the convolution
  finding.count = count;
  finding.place = facts.place_of(found);
  finding.evidence.slices = {trace.ops.slice[found]};
  finding.cure = "Make the convolution with bias=False.";
  const int64_t per_step = std::max<int64_t>(1, count / facts.step_count);
  finding.sentence = fmt::format(
      "A bias that the batch norm behind it takes away is added by {} a {}{}: bias=False saves it and its "
      "gradient.",
      per_step == 1 ? "one convolution" : fmt::format("{} convolutions", per_step), facts.subject,
      place_text(finding.place));
  out.push_back(std::move(finding));
}

void rule_per_parameter(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "optimizer.per_parameter";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  const Trace& trace = facts.trace;
  int64_t calls = 0, fused = 0;
  std::vector<Interval> moments;
  uint32_t step = kNoRow, inner = kNoRow;
  for (uint32_t op = 0; op < trace.ops.size(); ++op) {
    if (!facts.is_in_steps(op) || facts.places.of[op].phase != Phase::kOptimizer) continue;
    const std::string_view name = trace.slice_name(trace.ops.slice[op]);
    if (name.starts_with("Optimizer.step#")) {
      if (!facts.has_device) moments.push_back({start_of(trace, op), end_of(trace, op)});
      step = op;
    } else if (facts.is_outermost(op)) {
      ++calls;
      inner = op;
      fused += name.find("_fused_") != name.npos || name.find("_foreach_") != name.npos ? 1 : 0;
    }
  }
  if (step == kNoRow) {
    out.push_back(cannot_judge(kId, "No optimizer was seen to step.",
                               "Record with skyline run, or under torch.profiler."));
    return;
  }
  const bool is_single = fused == 0 && calls > kManyOptimizerOps * facts.step_count;
  IntervalSet claims = IntervalSet::of(std::move(moments));
  if (facts.has_device) {
    claims = facts.work([&](uint32_t op) { return facts.places.of[op].phase == Phase::kOptimizer; }).moments;
  }
  const int64_t time = facts.per_step(claims);
  if (!is_single || facts.share(time) < 0.05) {
    out.push_back(not_found(kId, "The optimizer updates parameters together, or in little time."));
    return;
  }
  const FindingPlace place = facts.place_of(step);
  out.push_back(found_time(facts, {.id = kId,
                                   .what = fmt::format("updates parameters one by one, with {} operators",
                                                       calls / facts.step_count),
                                   .cure = "fused=True or foreach=True in the optimizer",
                                   .place = place.file.empty() ? facts.place_of(inner) : place,
                                   .claims = claims,
                                   .time_ns = time,
                                   .gain_ns = time,
                                   .slices = {trace.ops.slice[step]},
                                   .count = calls}));
}

void rule_gradients_zeroed(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "optimizer.gradients_zeroed";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  const Trace& trace = facts.trace;
  const Work work = facts.work([&](uint32_t op) {
    return facts.kind(op) == OpKind::kZero && facts.places.of[op].phase == Phase::kZeroGrad;
  });
  if (work.calls == 0 || !facts.is_in_most_steps(work.calls)) {
    out.push_back(not_found(kId, "Gradients are dropped, not filled with zeros."));
    return;
  }
  const int64_t time = facts.per_step(work.moments);
  out.push_back(found_work(facts, work,
                           {.id = kId,
                            .what = "fills gradients with zeros",
                            .cure = "zero_grad(set_to_none=True), the default,",
                            .gain_ns = time,
                            .slices = {trace.ops.slice[work.op]}}));
}

void rule_validation_graphs(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "compute.validation_graphs";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  const Trace& trace = facts.trace;
  std::vector<Interval> regions;
  int64_t begin = -1;
  bool has_mark = false;
  for (uint32_t op = 0; op < trace.ops.size(); ++op) {
    const std::string_view name = trace.slice_name(trace.ops.slice[op]);
    if (!name.starts_with(kMarkPrefix)) continue;
    has_mark = true;
    if (name == kEvaluationBeginMark) begin = start_of(trace, op);
    if (name == kEvaluationEndMark && begin >= 0) {
      regions.push_back({begin, start_of(trace, op)});
      begin = -1;
    }
  }
  if (!has_mark) {
    out.push_back(
        cannot_judge(kId, "Where the program evaluates was not recorded.", "Record with skyline run."));
    return;
  }
  if (begin >= 0) regions.push_back({begin, trace.last_ns});
  const IntervalSet evaluation = IntervalSet::of(std::move(regions));
  int64_t calls = 0, with_graph = 0;
  uint32_t first = kNoRow;
  for (uint32_t op = 0; op < trace.ops.size(); ++op) {
    if (!facts.is_outermost(op) || facts.places.of[op].module == PlaceTree::kRoot) continue;
    if (evaluation.total_within(start_of(trace, op), start_of(trace, op) + 1) == 0) continue;
    ++calls;
    if (trace.ops.sequence[op] < 0) continue;
    ++with_graph;
    if (first == kNoRow) first = op;
  }
  if (first == kNoRow || 2 * with_graph < calls) {
    out.push_back(not_found(kId, "Evaluation keeps nothing for a backward pass."));
    return;
  }
  Finding finding;
  finding.id = kId;
  finding.severity = FindingSeverity::kAdvice;
  finding.count = with_graph;
  finding.place = facts.place_of(first);
  finding.evidence = {{"training.evaluation"}, {trace.ops.slice[first]}};
  finding.cure = "Evaluate under torch.inference_mode() or torch.no_grad().";
  finding.sentence = fmt::format(
      "Evaluation builds graphs for a backward pass that never comes{}: torch.inference_mode() saves their "
      "memory and time.",
      place_text(finding.place));
  out.push_back(std::move(finding));
}

}  // namespace skyline::analyze
