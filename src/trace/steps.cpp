#include "trace/steps.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <optional>
#include <span>

#include "trace/marks.h"

namespace skyline {
namespace {

constexpr std::string_view kOptimizerStep = "Optimizer.step#";

void find_profiler_steps(Trace& draft) {
  for (const SliceId slice : draft.ops.slice) {
    const std::string_view name = draft.slice_name(slice);
    const std::optional<int64_t> number = number_after(kProfilerStep, name);
    if (!number) continue;
    draft.steps.push_back({*number, draft.slices.start_ns[slice.value], draft.slices.end_ns(slice),
                           draft.slices.track[slice.value], slice});
  }
  std::stable_sort(draft.steps.begin(), draft.steps.end(),
                   [](const Step& a, const Step& b) { return a.start_ns < b.start_ns; });
}

// A model may have several optimizers; the one that steps last closes the step.
std::vector<SliceId> closing_optimizer_steps(const Trace& draft) {
  std::map<std::pair<TrackId, StringId>, std::vector<SliceId>> by_optimizer;
  for (const SliceId slice : draft.ops.slice) {
    if (!draft.slice_name(slice).starts_with(kOptimizerStep)) continue;
    by_optimizer[{draft.slices.track[slice.value], draft.slices.name[slice.value]}].push_back(slice);
  }
  std::vector<SliceId> best;
  for (const auto& [optimizer, slices] : by_optimizer) {
    const bool more = slices.size() > best.size();
    const bool later =
        slices.size() == best.size() && draft.slices.end_ns(slices.back()) > draft.slices.end_ns(best.back());
    if (more || later) best = slices;
  }
  return best;
}

void infer_steps(Trace& draft) {
  const std::vector<SliceId> closing = closing_optimizer_steps(draft);
  if (closing.empty()) return;
  const TrackId track = draft.slices.track[closing.front().value];
  int64_t start = draft.slices.start_ns[draft.tracks[track.value].first_slice.value];
  for (const SliceId slice : closing) {
    const int64_t end = draft.slices.end_ns(slice);
    if (end <= start) continue;  // inside the one before: an optimizer that wraps its own step
    draft.steps.push_back({static_cast<int64_t>(draft.steps.size()), start, end, track, SliceId()});
    start = end;
  }
}

// ---- Steps of a run that our recorder has marked. -------------------------------------------

struct OptimizerMark {
  int64_t time_ns;
  int64_t optimizer;
  TrackId track;
};

std::vector<OptimizerMark> optimizer_marks(const Trace& draft) {
  std::vector<OptimizerMark> marks;
  for (const SliceId slice : draft.ops.slice) {
    const std::optional<int64_t> optimizer = number_after(kOptimizerMark, draft.slice_name(slice));
    if (optimizer) marks.push_back({draft.slices.end_ns(slice), *optimizer, draft.slices.track[slice.value]});
  }
  std::stable_sort(marks.begin(), marks.end(),
                   [](const OptimizerMark& a, const OptimizerMark& b) { return a.time_ns < b.time_ns; });
  return marks;
}

// The optimizer that ends a round in which all have stepped: the one that steps least often, of equals the
// one that is last. One that steps a single time while others go on is no part of the loop.
int64_t closing_optimizer(std::span<const OptimizerMark> marks) {
  struct Count {
    size_t steps = 0;
    int64_t last_ns = 0;
  };
  std::map<int64_t, Count> counts;
  for (const OptimizerMark& mark : marks) {
    ++counts[mark.optimizer].steps;
    counts[mark.optimizer].last_ns = mark.time_ns;
  }
  const bool several =
      std::any_of(counts.begin(), counts.end(), [](const auto& entry) { return entry.second.steps > 1; });
  const std::pair<const int64_t, Count>* best = nullptr;
  for (const auto& entry : counts) {
    const Count& count = entry.second;
    if (several && count.steps == 1) continue;
    const bool better = best == nullptr || count.steps < best->second.steps ||
                        (count.steps == best->second.steps && count.last_ns > best->second.last_ns);
    if (better) best = &entry;
  }
  return best->first;
}

// A program may train one model after the other, each with optimizers of its own. A loop is a stretch that no
// optimizer steps both in and outside of; one that steps a single time in between makes none of its own.
std::vector<std::span<const OptimizerMark>> loops_of(std::span<const OptimizerMark> marks) {
  std::map<int64_t, size_t> last;  // where each optimizer steps for the last time
  for (size_t i = 0; i < marks.size(); ++i) last[marks[i].optimizer] = i;
  if (marks.empty()) return {};
  // Where all step once it is one round of all of them.
  if (last.size() == marks.size()) return {marks};
  std::vector<std::span<const OptimizerMark>> loops;
  size_t begin = 0, end = 0;
  for (size_t i = 0; i < marks.size(); ++i) {
    end = std::max(end, last[marks[i].optimizer]);
    if (i < end) continue;
    if (end > begin) loops.push_back(marks.subspan(begin, end - begin + 1));
    begin = i + 1;
  }
  return loops;
}

std::vector<OptimizerMark> closing_marks(std::span<const OptimizerMark> marks) {
  std::vector<OptimizerMark> closing;
  for (const std::span<const OptimizerMark> loop : loops_of(marks)) {
    const int64_t optimizer = closing_optimizer(loop);
    std::copy_if(loop.begin(), loop.end(), std::back_inserter(closing),
                 [&](const OptimizerMark& mark) { return mark.optimizer == optimizer; });
  }
  return closing;
}

void find_marked_steps(Trace& draft) {
  const std::vector<OptimizerMark> closing = closing_marks(optimizer_marks(draft));
  if (closing.empty()) return;
  const std::vector<Evaluation> evaluations = find_evaluations(draft);
  const TrackId track = closing.front().track;
  int64_t before = draft.slices.start_ns[draft.tracks[track.value].first_slice.value];
  for (const OptimizerMark& mark : closing) {
    if (mark.time_ns <= before) continue;
    int64_t start = before;
    for (const Evaluation& evaluation : evaluations) {
      if (evaluation.start_ns >= before && evaluation.end_ns <= mark.time_ns)
        start = std::max(start, evaluation.end_ns);
    }
    if (start < mark.time_ns) {
      const auto number = static_cast<int64_t>(draft.steps.size());
      draft.steps.push_back({number, start, mark.time_ns, mark.track, SliceId()});
    }
    before = mark.time_ns;
  }
}

}  // namespace

std::optional<int64_t> number_after(std::string_view prefix, std::string_view name) {
  if (!name.starts_with(prefix)) return std::nullopt;
  int64_t number = 0;
  const char* end = name.data() + name.size();
  const std::from_chars_result read = std::from_chars(name.data() + prefix.size(), end, number);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return number;
}

std::vector<Evaluation> find_evaluations(const Trace& trace) {
  struct Mark {
    int64_t time_ns;
    enum : uint8_t { kBegin, kEnd, kTrains } kind;
  };
  std::vector<Mark> marks;
  for (const SliceId slice : trace.ops.slice) {
    const std::string_view name = trace.slice_name(slice);
    if (!name.starts_with(kMarkPrefix)) continue;
    const int64_t time = trace.slices.end_ns(slice);
    if (name == kEvaluationBeginMark) marks.push_back({time, Mark::kBegin});
    if (name == kEvaluationEndMark) marks.push_back({time, Mark::kEnd});
    if (name.starts_with(kOptimizerMark)) marks.push_back({time, Mark::kTrains});
  }
  std::stable_sort(marks.begin(), marks.end(),
                   [](const Mark& a, const Mark& b) { return a.time_ns < b.time_ns; });
  std::vector<Evaluation> found;
  std::optional<int64_t> begin;
  for (const Mark& mark : marks) {
    if (mark.kind == Mark::kEnd && begin) found.push_back({*begin, mark.time_ns});
    begin = mark.kind == Mark::kBegin ? std::optional(begin.value_or(mark.time_ns)) : std::nullopt;
  }
  if (begin) found.push_back({*begin, std::max(*begin, trace.last_ns)});
  return found;
}

void find_steps(Trace& draft) {
  find_profiler_steps(draft);
  if (!draft.steps.empty()) {
    draft.step_source = StepSource::kProfilerStep;
    return;
  }
  find_marked_steps(draft);
  if (draft.steps.empty()) infer_steps(draft);
  if (!draft.steps.empty()) draft.step_source = StepSource::kOptimizerStep;
}

}  // namespace skyline
