#include "analyze/places/gap_samples.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "analyze/core/step_window.h"
#include "base/hash.h"

namespace skyline::analyze {
namespace {

constexpr uint64_t kSpeaksForItself = 8;  // samples

std::set<TrackId> threads_that_train(const AnalyzedTrace& analyzed) {
  const std::vector<TrackId>& threads = analyzed.get<training_threads>();
  std::set<TrackId> all(threads.begin(), threads.end());
  for (const Step& step : analyzed.trace().steps) all.insert(step.track);
  return all;
}

// Lines of the operators before and behind, and the phase.
using Kind = std::tuple<uint32_t, uint32_t, Phase>;

std::vector<Kind> kinds_of(const std::vector<Stretch>& stretches) {
  std::vector<Kind> kinds(stretches.size());
  uint32_t line = kNoRow;
  for (size_t i = 0; i < stretches.size(); ++i) {
    std::get<0>(kinds[i]) = line;
    std::get<2>(kinds[i]) = stretches[i].place.phase;
    if (stretches[i].op != kNoRow) line = stretches[i].place.line;
  }
  line = kNoRow;
  for (size_t i = stretches.size(); i-- > 0;) {
    std::get<1>(kinds[i]) = line;
    if (stretches[i].op != kNoRow) line = stretches[i].place.line;
  }
  return kinds;
}

struct SampleTime {
  int64_t time_ns;
  uint32_t row;
};

std::vector<SampleTime> samples_of(const Trace& trace, TrackId thread) {
  std::vector<SampleTime> samples;
  for (uint32_t row = 0; row < trace.samples.size(); ++row)
    if (trace.samples.track[row] == thread) samples.push_back({trace.samples.time_ns[row], row});
  std::stable_sort(samples.begin(), samples.end(),
                   [](const SampleTime& a, const SampleTime& b) { return a.time_ns < b.time_ns; });
  return samples;
}

}  // namespace

GapSamples::GapSamples(const AnalyzedTrace& analyzed) {
  if (analyzed.trace().samples.size() == 0) return;
  for (const TrackId thread : threads_that_train(analyzed))
    threads_.emplace(thread, look_at(analyzed, thread));
}

GapSamples::Thread GapSamples::look_at(const AnalyzedTrace& analyzed, TrackId thread) {
  const Trace& trace = analyzed.trace();
  const OpPlaces& places = analyzed.get<OpPlaces>();
  const std::vector<Stretch> stretches =
      cut_wall_time(trace, places, {thread, trace.first_ns, trace.last_ns});
  const std::vector<Kind> kinds = kinds_of(stretches);
  const std::vector<SampleTime> samples = samples_of(trace, thread);
  std::map<Kind, uint32_t> numbers;
  std::vector<std::map<StackId, uint64_t>> counts;
  Thread found;
  size_t next = 0;
  for (size_t i = 0; i < stretches.size(); ++i) {
    const Stretch& stretch = stretches[i];
    if (stretch.op != kNoRow) continue;
    const auto [kind, is_new] = numbers.try_emplace(kinds[i], static_cast<uint32_t>(numbers.size()));
    if (is_new) counts.emplace_back();
    std::map<StackId, uint64_t> own;
    uint64_t sum = 0;
    while (next < samples.size() && samples[next].time_ns < stretch.start_ns) ++next;
    for (; next < samples.size() && samples[next].time_ns < stretch.end_ns; ++next, ++sum)
      ++own[trace.samples.stack[samples[next].row]];
    for (const auto& [stack, count] : own) counts[kind->second][stack] += count;
    const bool speaks = sum >= kSpeaksForItself;
    found.gaps.push_back({stretch.start_ns, stretch.end_ns, kind->second,
                          speaks ? static_cast<uint32_t>(found.own.size()) : kNoRow});
    if (!speaks) continue;
    Shares& shares = found.own.emplace_back();
    for (const auto& [stack, count] : own) shares.push_back({stack, places.line_of_sample(stack), count});
  }
  for (const std::map<StackId, uint64_t>& kind : counts) {
    Shares& shares = found.kinds.emplace_back();
    for (const auto& [stack, count] : kind) shares.push_back({stack, places.line_of_sample(stack), count});
  }
  return found;
}

std::span<const GapSamples::Share> GapSamples::shares(TrackId thread, int64_t start_ns,
                                                      int64_t end_ns) const {
  const auto found = threads_.find(thread);
  if (found == threads_.end()) return {};
  const std::vector<Gap>& gaps = found->second.gaps;
  const int64_t middle = start_ns + (end_ns - start_ns) / 2;
  auto gap = std::upper_bound(gaps.begin(), gaps.end(), middle,
                              [](int64_t time_ns, const Gap& one) { return time_ns < one.start_ns; });
  if (gap == gaps.begin() || (--gap)->end_ns <= middle) return {};
  return gap->own != kNoRow ? found->second.own[gap->own] : found->second.kinds[gap->kind];
}

void cut_by_shares(const Stretch& stretch, std::span<const GapSamples::Share> shares,
                   std::vector<Stretch>& to) {
  uint64_t all = 0;
  for (const GapSamples::Share& share : shares) all += share.samples;
  if (all == 0) {
    to.push_back(stretch);
    return;
  }
  const int64_t whole = stretch.end_ns - stretch.start_ns;
  uint64_t before = 0;
  int64_t now = stretch.start_ns;
  for (const GapSamples::Share& share : shares) {
    before += share.samples;
    const int64_t end = stretch.start_ns + static_cast<int64_t>(static_cast<Wide>(whole) * before / all);
    if (end == now) continue;
    Stretch part = stretch;
    part.start_ns = now;
    part.end_ns = end;
    part.place.line = share.line;
    part.is_near = false;
    part.stack = share.stack;
    to.push_back(part);
    now = end;
  }
}

std::vector<Stretch> sampled_wall_time(const AnalyzedTrace& analyzed, const Iteration& iteration) {
  std::vector<Stretch> stretches = cut_wall_time(analyzed.trace(), analyzed.get<OpPlaces>(), iteration);
  if (analyzed.trace().samples.size() == 0) return stretches;
  const GapSamples& samples = analyzed.get<GapSamples>();
  std::vector<Stretch> cut;
  for (const Stretch& stretch : stretches) {
    if (stretch.op != kNoRow || stretch.place.in_backward || stretch.place.phase == Phase::kBackward) {
      cut.push_back(stretch);  // an operator's, or the engine's
    } else {
      cut_by_shares(stretch, samples.shares(iteration.track, stretch.start_ns, stretch.end_ns), cut);
    }
  }
  return cut;
}

ElsewhereSamples::ElsewhereSamples(const AnalyzedTrace& analyzed) {
  const Trace& trace = analyzed.trace();
  if (trace.samples.size() == 0) return;
  const OpPlaces& places = analyzed.get<OpPlaces>();
  const std::set<TrackId> train = threads_that_train(analyzed);
  int64_t start = trace.first_ns, end = trace.last_ns;
  if (!trace.steps.empty()) {
    start = trace.steps.front().start_ns;
    end = trace.steps.back().end_ns;
  }
  window_ns = end - start;
  struct Thread {
    int64_t first_ns = INT64_MAX, last_ns = INT64_MIN;
    int64_t samples = 0;
  };
  std::map<TrackId, Thread> threads;
  std::map<std::pair<TrackId, StackId>, int64_t> counts;
  for (uint32_t row = 0; row < trace.samples.size(); ++row) {
    const TrackId track = trace.samples.track[row];
    if (train.contains(track)) continue;
    const int64_t time = trace.samples.time_ns[row];
    Thread& thread = threads[track];
    thread.first_ns = std::min(thread.first_ns, time);
    thread.last_ns = std::max(thread.last_ns, time);
    ++thread.samples;
    if (time >= start && time < end && trace.samples.stack[row].exists())
      ++counts[{track, trace.samples.stack[row]}];
  }
  for (const auto& [key, count] : counts) {
    const Thread& thread = threads[key.first];
    const uint32_t line = places.line_of_sample(key.second);
    if (line == PlaceTree::kRoot || thread.samples < 2) continue;
    const auto time =
        static_cast<int64_t>(static_cast<Wide>(thread.last_ns - thread.first_ns) *
                             static_cast<uint64_t>(count) / static_cast<uint64_t>(thread.samples - 1));
    this->places.push_back({key.first, key.second, line, time});
  }
}

SampledStacks sampled_stacks(const AnalyzedTrace& analyzed, std::optional<int64_t> number) {
  const Trace& trace = analyzed.trace();
  SampledStacks sampled;
  if (trace.samples.size() == 0) return sampled;
  const Step* const step = number ? find_step(trace, *number) : nullptr;
  const int64_t start = step != nullptr ? step->start_ns : trace.first_ns;
  const int64_t end = step != nullptr ? step->end_ns : trace.last_ns;
  std::set<TrackId> threads = threads_that_train(analyzed);
  if (step != nullptr) threads = {step->track};
  for (const TrackId thread : threads) {
    for (const Stretch& stretch : sampled_wall_time(analyzed, {thread, start, end})) {
      if (stretch.stack.exists())
        sampled.times.push_back({stretch.stack, stretch.end_ns - stretch.start_ns, TrackId()});
    }
  }
  const ElsewhereSamples& elsewhere = analyzed.get<ElsewhereSamples>();
  for (const ElsewhereSamples::Place& place : elsewhere.places) {
    if (elsewhere.window_ns <= 0) break;
    const auto time =
        static_cast<int64_t>(static_cast<Wide>(place.time_ns) * static_cast<uint64_t>(end - start) /
                             static_cast<uint64_t>(elsewhere.window_ns));
    sampled.times.push_back({place.stack, time, place.track});
  }
  return sampled;
}

}  // namespace skyline::analyze
