#include "analyze/time/training_figures.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>

#include "analyze/core/figures.h"
#include "analyze/core/intervals.h"
#include "analyze/core/per_name.h"
#include "analyze/core/saturate.h"
#include "analyze/core/step_window.h"
#include "analyze/time/time_parts.h"
#include "base/median.h"
#include "trace/marks.h"
#include "trace/steps.h"

namespace skyline::analyze {
namespace {

// What our recorder has marked.
struct Marks {
  bool any = false;
  std::set<int64_t> optimizers;
  std::vector<int64_t> optimizer_steps;  // times, sorted
  struct Batch {
    int64_t time_ns, samples;
  };
  std::vector<Batch> batches;      // of DataLoaders
  std::vector<Batch> model_calls;  // where there is none
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
    if (const std::optional<int64_t> samples = number_after(kModelSamplesMark, name))
      marks.model_calls.push_back({time, *samples});
  }
  std::sort(marks.optimizer_steps.begin(), marks.optimizer_steps.end());
  return marks;
}

// A step's end belongs to it: that is where its last optimizer's mark stands.
bool holds(const Step& step, int64_t time_ns) { return step.start_ns < time_ns && time_ns <= step.end_ns; }

// Its place in Trace::steps; their number if it is in none.
size_t step_of(const Trace& trace, int64_t time_ns) {
  const auto step = std::lower_bound(trace.steps.begin(), trace.steps.end(), time_ns,
                                     [](const Step& s, int64_t time) { return s.end_ns < time; });
  const bool is_inside = step != trace.steps.end() && holds(*step, time_ns);
  return is_inside ? static_cast<size_t>(step - trace.steps.begin()) : trace.steps.size();
}

bool is_in_a_step(const Trace& trace, int64_t time_ns) {
  return step_of(trace, time_ns) < trace.steps.size();
}

bool is_backward(const Trace& trace, uint32_t op) {
  return trace.ops.fwd_thread[op] != 0 && trace.category(trace.ops.slice[op]) == Category::kCpuOp;
}

// Per track the time inside backward operators.
std::vector<IntervalSet> backward_time(const Trace& trace) {
  std::vector<std::vector<Interval>> calls(trace.tracks.size());
  for (uint32_t op = 0; op < trace.ops.size(); ++op) {
    if (!is_backward(trace, op)) continue;
    const SliceId slice = trace.ops.slice[op];
    calls[trace.slices.track[slice.value].value].push_back(
        {trace.slices.start_ns[slice.value], trace.slices.end_ns(slice)});
  }
  std::vector<IntervalSet> times;
  times.reserve(calls.size());
  for (std::vector<Interval>& intervals : calls) times.push_back(IntervalSet::of(std::move(intervals)));
  return times;
}

// When each backward pass begins, in order of time, on whatever threads it runs. Numbers and times alone
// decide, so that the order of simultaneous events in a file does not.
std::vector<int64_t> backward_passes(const Trace& trace) {
  std::unordered_set<int64_t> with_backward;  // sequence numbers
  for (uint32_t op = 0; op < trace.ops.size(); ++op) {
    if (is_backward(trace, op)) with_backward.insert(trace.ops.sequence[op]);
  }
  if (with_backward.empty()) return {};
  const std::vector<IntervalSet> in_backward = backward_time(trace);
  const auto is_forward = [&](uint32_t op) {
    if (trace.ops.fwd_thread[op] != 0 || trace.ops.sequence[op] < 0) return false;
    if (!with_backward.contains(trace.ops.sequence[op])) return false;
    // Checkpoints run forward operators once more inside the backward pass.
    const SliceId slice = trace.ops.slice[op];
    const int64_t start = trace.slices.start_ns[slice.value];
    return in_backward[trace.slices.track[slice.value].value].total_within(start, plus(start, 1)) == 0;
  };
  struct Event {
    int64_t time_ns;
    bool backward;
  };
  std::vector<Event> events;
  for (uint32_t op = 0; op < trace.ops.size(); ++op) {
    const int64_t start = trace.slices.start_ns[trace.ops.slice[op].value];
    if (is_backward(trace, op)) events.push_back({start, true});
    if (is_forward(op)) events.push_back({start, false});
  }
  std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
    return a.time_ns != b.time_ns ? a.time_ns < b.time_ns : a.backward < b.backward;
  });
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
  return lower_median(std::move(counts));
}

int64_t time_of_steps(const Trace& trace) {
  SumNs sum;
  for (const Step& step : trace.steps) sum += minus(step.end_ns, step.start_ns);
  return sum;
}

// How many batches were fetched in steps and used by none of them, given how many each step has fetched.
//
// Loaders that fetch ahead (Lightning's, accelerate's) fetch more in the first step of an epoch and less in
// its last one; a recording that ends between holds batches that none of its steps has used:
//
//   fetched   2 1 1 0 2 1      each step uses one
//   waiting   1 1 1 0 1 1      after each step
//
// Taken for that only if all of it agrees: each step uses what most of them fetch, never more than there is,
// and no more ever waits than after the first step. Steps of two or five micro-batches as it comes do not
// look so.
size_t batches_ahead(const std::vector<size_t>& fetched) {
  constexpr size_t kLeastSteps = 3;
  std::map<size_t, size_t> steps_by_count;
  for (const size_t count : fetched) ++steps_by_count[count];
  if (fetched.size() < kLeastSteps) return 0;
  const size_t used = std::max_element(steps_by_count.begin(), steps_by_count.end(), [](auto& a, auto& b) {
                        return a.second < b.second;
                      })->first;
  if (used == 0 || fetched[0] <= used) return 0;
  size_t waiting = 0;
  for (const size_t count : fetched) {
    if (waiting + count < used) return 0;
    waiting += count - used;
    if (waiting > fetched[0] - used) return 0;
  }
  return waiting;
}

// Samples that steps have trained on.
int64_t trained_samples(const Trace& trace, const std::vector<Marks::Batch>& batches) {
  std::vector<size_t> counts(trace.steps.size(), 0);
  std::vector<Marks::Batch> fetched;
  for (const Marks::Batch& batch : batches) {
    const size_t step = step_of(trace, batch.time_ns);
    if (step == counts.size()) continue;
    ++counts[step];
    fetched.push_back(batch);
  }
  std::sort(fetched.begin(), fetched.end(), [](const Marks::Batch& a, const Marks::Batch& b) {
    return std::pair(a.time_ns, a.samples) < std::pair(b.time_ns, b.samples);
  });
  fetched.resize(fetched.size() - batches_ahead(counts));
  SumNs samples;
  for (const Marks::Batch& batch : fetched) samples += batch.samples;
  return samples;
}

// Samples that the model was called with meanwhile.
int64_t samples_within_steps(const Trace& trace, const std::vector<Marks::Batch>& calls) {
  SumNs samples;
  for (const Marks::Batch& call : calls) {
    if (is_in_a_step(trace, call.time_ns)) samples += call.samples;
  }
  return samples;
}

}  // namespace

std::vector<Figure> training_figures(const AnalyzedTrace& analyzed) {
  const Trace& trace = analyzed.trace();
  const Marks marks = read_marks(trace);
  FigureValue optimizers, optimizer_steps, samples, model_samples, samples_per_second, fetch, evaluation;
  if (marks.any) {
    optimizers = count_of(marks.optimizers.size());
    optimizer_steps = int64_t{std::count_if(marks.optimizer_steps.begin(), marks.optimizer_steps.end(),
                                            [&](int64_t time) { return is_in_a_step(trace, time); })};
    SumNs time;
    for (const Evaluation& one : find_evaluations(trace)) time += minus(one.end_ns, one.start_ns);
    evaluation = int64_t{time};
  }
  const int64_t steps_ns = time_of_steps(trace);
  const bool has_loader = !marks.batches.empty();
  if ((has_loader || !marks.model_calls.empty()) && steps_ns > 0) {
    const int64_t sum =
        has_loader ? trained_samples(trace, marks.batches) : samples_within_steps(trace, marks.model_calls);
    (has_loader ? samples : model_samples) = sum;
    samples_per_second = static_cast<double>(sum) * 1e9 / static_cast<double>(steps_ns);
  }
  if (!trace.steps.empty())
    fetch = intersect(analyzed.get<fetch_time>(), analyzed.get<judged_time>()).total_ns();
  return make_figures(kTrainingFigures, {
                                            {"training.optimizers", optimizers},
                                            {"training.optimizer_steps", optimizer_steps},
                                            {"training.micro_batches", micro_batches(trace)},
                                            {"training.samples", samples},
                                            {"training.model_samples", model_samples},
                                            {"training.samples_per_second", samples_per_second},
                                            {"training.fetch", fetch},
                                            {"training.evaluation", evaluation},
                                        });
}

}  // namespace skyline::analyze
