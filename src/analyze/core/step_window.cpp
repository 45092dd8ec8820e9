#include "analyze/core/step_window.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyze/core/saturate.h"
#include "base/median.h"

namespace skyline::analyze {
namespace {

IntervalSet window_of(const Trace& trace, std::optional<int64_t> number) {
  std::vector<Interval> steps;
  for (const Step& step : trace.steps) {
    if (step.number == number) steps.push_back({step.start_ns, step.end_ns});
  }
  return IntervalSet::of(std::move(steps));
}

bool is_host(Category category) {
  return is_op_or_range(category) || category == Category::kPython || is_launch(category);
}

// The time that a track spends inside host slices.
int64_t host_time(const Trace& trace, const Track& track) {
  IntervalSet covered;
  for (uint32_t i = 0; i < track.slice_count; ++i) {
    const SliceId slice(track.first_slice.value + i);
    if (is_host(trace.category(slice)))
      covered.append(trace.slices.start_ns[slice.value], trace.slices.end_ns(slice));
  }
  return covered.total_ns();
}

TrackId busiest_thread(const Trace& trace) {
  TrackId best;
  int64_t most = 0;
  bool best_is_main = false;
  for (uint32_t t = 0; t < trace.tracks.size(); ++t) {
    const Track& track = trace.tracks[t];
    const int64_t time = host_time(trace, track);
    const bool is_main = track.process == track.thread;
    if (time == 0 || (best_is_main && !is_main)) continue;
    if (time > most || (is_main && !best_is_main)) {
      best = TrackId(t);
      most = time;
      best_is_main = is_main;
    }
  }
  return best;
}

bool runs_operators(const Trace& trace, const Step& step) {
  const Track& track = trace.tracks[step.track.value];
  const int64_t* const begin = trace.slices.start_ns.data() + track.first_slice.value;
  const int64_t* const end = begin + track.slice_count;
  for (const int64_t* at = std::lower_bound(begin, end, step.start_ns); at != end && *at < step.end_ns;
       ++at) {
    const auto slice = static_cast<uint32_t>(at - trace.slices.start_ns.data());
    if (trace.slices.category[slice] == Category::kCpuOp) return true;
  }
  return false;
}

}  // namespace

StepFilter::StepFilter(const Trace& trace, std::optional<int64_t> step)
    : trace_(trace), everything_(!step), window_(window_of(trace, step)) {}

bool StepFilter::takes_host(SliceId slice) const { return takes_moment(trace_.slices.start_ns[slice.value]); }

bool StepFilter::takes_moment(int64_t time_ns) const {
  return everything_ || window_.total_within(time_ns, plus(time_ns, 1)) > 0;
}

bool StepFilter::takes_activity(uint32_t activity) const {
  if (everything_) return true;
  const SliceId launch = trace_.activities.launch[activity];
  return launch.exists() && takes_host(launch);
}

std::vector<TrackId> training_threads(const Trace& trace) {
  std::vector<TrackId> threads;
  for (const Step& step : trace.steps) threads.push_back(step.track);
  if (threads.empty()) threads.push_back(busiest_thread(trace));
  if (!threads.front().exists()) return {};
  std::sort(threads.begin(), threads.end());
  threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
  return threads;
}

IntervalSet judged_time(const Trace& trace) {
  if (trace.steps.empty()) return IntervalSet::of({{trace.first_ns, trace.last_ns}});
  std::vector<Interval> steps;
  for (const Step& step : trace.steps) steps.push_back({step.start_ns, step.end_ns});
  return IntervalSet::of(std::move(steps));
}

IntervalSet usual_time(const Trace& trace) {
  constexpr size_t kEnoughSteps = 5;
  if (trace.steps.size() < kEnoughSteps) return judged_time(trace);
  std::vector<int64_t> durations;
  for (const Step& step : trace.steps) durations.push_back(step.dur_ns());
  const int64_t median = lower_median(durations);
  std::vector<Interval> steps;
  for (const Step& step : trace.steps) {
    if (step.dur_ns() / 2 <= median) steps.push_back({step.start_ns, step.end_ns});
  }
  return IntervalSet::of(std::move(steps));
}

const Step* last_complete_step(const Trace& trace) {
  const Step* last = nullptr;
  for (auto step = trace.steps.rbegin(); step != trace.steps.rend(); ++step) {
    if (runs_operators(trace, *step)) return &*step;
    if (last == nullptr && step->end_ns > step->start_ns) last = &*step;
  }
  return last;
}

const Step* find_step(const Trace& trace, int64_t number) {
  for (auto step = trace.steps.rbegin(); step != trace.steps.rend(); ++step) {
    if (step->number == number) return &*step;
  }
  return nullptr;
}

Result<const Step*> chosen_step(const Trace& trace, std::optional<int64_t> number) {
  if (!number) return static_cast<const Step*>(nullptr);
  if (const Step* const step = find_step(trace, *number)) return step;
  return Error{fmt::format("there is no step {}; steps in this trace: {}", *number, step_numbers(trace))};
}

std::string step_numbers(const Trace& trace) {
  if (trace.steps.empty()) return "none";
  const auto less = [](const Step& a, const Step& b) { return a.number < b.number; };
  const auto [low, high] = std::minmax_element(trace.steps.begin(), trace.steps.end(), less);
  if (low->number == high->number) return fmt::format("{}", low->number);
  return fmt::format("{} to {}", low->number, high->number);
}

}  // namespace skyline::analyze
