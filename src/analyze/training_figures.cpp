#include "analyze/training_figures.h"

#include <algorithm>
#include <set>

#include "analyze/figures.h"
#include "analyze/per_name.h"
#include "analyze/saturate.h"
#include "trace/marks.h"
#include "trace/steps.h"

namespace skyline {
namespace {

// What our recorder has marked.
struct Marks {
  bool any = false;
  std::set<int64_t> optimizers;
  std::vector<int64_t> optimizer_steps;  // times, sorted
  struct Batch {
    int64_t time_ns, samples;
  };
  std::vector<Batch> batches;
};

Marks read_marks(const Trace& trace) {
  PerName<bool> is_mark(trace.strings, [](std::string_view name) { return name.starts_with(kMarkPrefix); });
  Marks marks;
  for (const SliceId slice : trace.ops.slice) {
    if (!is_mark(trace.slices.name[slice.value])) continue;
    marks.any = true;
    const std::string_view name = trace.slice_name(slice);
    const int64_t time = trace.slices.end_ns(slice);
    if (const std::optional<int64_t> optimizer = number_after(kOptimizerMark, name)) {
      marks.optimizers.insert(*optimizer);
      marks.optimizer_steps.push_back(time);
    }
    if (const std::optional<int64_t> samples = number_after(kSamplesMark, name))
      marks.batches.push_back({time, *samples});
  }
  std::sort(marks.optimizer_steps.begin(), marks.optimizer_steps.end());
  return marks;
}

// A step's end belongs to it: that is where its last optimizer's mark stands.
bool holds(const Step& step, int64_t time_ns) { return step.start_ns < time_ns && time_ns <= step.end_ns; }

bool is_in_a_step(const Trace& trace, int64_t time_ns) {
  const auto step = std::lower_bound(trace.steps.begin(), trace.steps.end(), time_ns,
                                     [](const Step& s, int64_t time) { return s.end_ns < time; });
  return step != trace.steps.end() && holds(*step, time_ns);
}

// When each backward pass begins, in order of time, on whatever threads it runs.
std::vector<int64_t> backward_passes(const Trace& trace) {
  const auto is_backward = [&](uint32_t op) {
    return trace.ops.fwd_thread[op] != 0 && trace.category(trace.ops.slice[op]) == Category::kCpuOp;
  };
  std::vector<bool> has_gradient(trace.slices.size(), false);
  std::vector<bool> in_backward(trace.slices.size(), false);  // recomputed forward operators, among others
  for (uint32_t op = 0; op < trace.ops.size(); ++op) {
    if (!is_backward(op)) continue;
    in_backward[trace.ops.slice[op].value] = true;
    if (trace.ops.forward[op].exists()) has_gradient[trace.ops.forward[op].value] = true;
  }
  for (uint32_t s = 0; s < in_backward.size(); ++s) {
    const SliceId parent = trace.slices.parent[s];
    if (parent.exists() && in_backward[parent.value]) in_backward[s] = true;
  }
  struct Event {
    int64_t time_ns;
    bool backward;
  };
  std::vector<Event> events;
  for (uint32_t op = 0; op < trace.ops.size(); ++op) {
    const SliceId slice = trace.ops.slice[op];
    if (is_backward(op)) events.push_back({trace.slices.start_ns[slice.value], true});
    if (has_gradient[slice.value] && !in_backward[slice.value])
      events.push_back({trace.slices.start_ns[slice.value], false});
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const Event& a, const Event& b) { return a.time_ns < b.time_ns; });
  std::vector<int64_t> passes;
  bool before = false;
  for (const Event& event : events) {
    if (event.backward && !before) passes.push_back(event.time_ns);
    before = event.backward;
  }
  return passes;
}

FigureValue micro_batches(const Trace& trace) {
  const std::vector<int64_t> passes = backward_passes(trace);
  if (passes.empty() || trace.steps.empty()) return std::monostate();
  std::vector<int64_t> counts;
  for (const Step& step : trace.steps) {
    counts.push_back(std::upper_bound(passes.begin(), passes.end(), step.end_ns) -
                     std::lower_bound(passes.begin(), passes.end(), step.start_ns));
  }
  const auto middle = counts.begin() + static_cast<ptrdiff_t>((counts.size() - 1) / 2);
  std::nth_element(counts.begin(), middle, counts.end());
  return *middle;
}

int64_t time_of_steps(const Trace& trace) {
  SumNs sum;
  for (const Step& step : trace.steps) sum += minus(step.end_ns, step.start_ns);
  return sum;
}

}  // namespace

std::vector<Figure> training_figures(const Trace& trace, const ActivityView&) {
  const Marks marks = read_marks(trace);
  FigureValue optimizers, optimizer_steps, samples, samples_per_second, evaluation;
  if (marks.any) {
    optimizers = count_of(marks.optimizers.size());
    optimizer_steps = int64_t{std::count_if(marks.optimizer_steps.begin(), marks.optimizer_steps.end(),
                                            [&](int64_t time) { return is_in_a_step(trace, time); })};
    SumNs time;
    for (const Evaluation& one : find_evaluations(trace)) time += minus(one.end_ns, one.start_ns);
    evaluation = int64_t{time};
  }
  const int64_t steps_ns = time_of_steps(trace);
  if (!marks.batches.empty() && steps_ns > 0) {
    SumNs sum;
    for (const Marks::Batch& batch : marks.batches) {
      if (is_in_a_step(trace, batch.time_ns)) sum += batch.samples;
    }
    samples = int64_t{sum};
    samples_per_second = static_cast<double>(int64_t{sum}) * 1e9 / static_cast<double>(steps_ns);
  }
  return make_figures(kTrainingFigures, {optimizers, optimizer_steps, micro_batches(trace), samples,
                                         samples_per_second, evaluation});
}

}  // namespace skyline
