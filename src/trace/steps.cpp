#include "trace/steps.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace skyline {
namespace {

constexpr std::string_view kProfilerStep = "ProfilerStep#";
constexpr std::string_view kOptimizerStep = "Optimizer.step#";

void find_profiler_steps(Trace& draft) {
  for (const SliceId slice : draft.ops.slice) {
    const std::string_view name = draft.slice_name(slice);
    if (!name.starts_with(kProfilerStep)) continue;
    int64_t number = 0;
    const char* end = name.data() + name.size();
    const std::from_chars_result read = std::from_chars(name.data() + kProfilerStep.size(), end, number);
    if (read.ec != std::errc() || read.ptr != end) continue;
    draft.steps.push_back({number, draft.slices.start_ns[slice.value], draft.slices.end_ns(slice),
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

}  // namespace

void find_steps(Trace& draft) {
  find_profiler_steps(draft);
  if (!draft.steps.empty()) {
    draft.step_source = StepSource::kProfilerStep;
    return;
  }
  infer_steps(draft);
  if (!draft.steps.empty()) draft.step_source = StepSource::kOptimizerStep;
}

}  // namespace skyline
