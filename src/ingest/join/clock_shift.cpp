#include "ingest/join/clock_shift.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string_view>
#include <utility>

#include "ingest/join/op_stretches.h"

namespace skyline::ingest {
namespace {

constexpr size_t kMostCalls = 2048;       // of a thread, next to each other, of which the costs are counted
constexpr size_t kFewestCalls = 200;      // by fewer than these no shift can be told
constexpr size_t kMostVoters = 256;       // of these, that propose shifts
constexpr size_t kMostPairs = 2'000'000;  // of a voter and a stretch near it
constexpr size_t kMostCandidates = 48;
constexpr int64_t kSameNs = 1'000;       // candidates nearer to each other than this are one
constexpr double kLeastGain = 0.02;      // bits for each call: less is no reason to move anything
constexpr double kClearlyCheaper = 0.8;  // of the cost of none
constexpr double kNearlyAll = 0.9;       // of a thread's calls, to take it for another thread

// Of a call: the middle of it.
using Times = std::vector<int64_t>;

// By track of the device's draft, in order, with the offset added.
std::vector<Times> calls_of(const Trace& device, int64_t offset_ns) {
  std::vector<Times> by_track(device.tracks.size());
  for (const SliceId slice : device.launches.slice) {
    const int64_t middle = device.slices.start_ns[slice.value] + device.slices.dur_ns[slice.value] / 2;
    by_track[device.slices.track[slice.value].value].push_back(middle + offset_ns);
  }
  for (Times& calls : by_track) std::sort(calls.begin(), calls.end());
  return by_track;
}

// Neighbours from the middle of the recording, where it is most like itself.
Times middle_part(const Times& calls) {
  if (calls.size() <= kMostCalls) return calls;
  const auto begin = calls.begin() + static_cast<ptrdiff_t>((calls.size() - kMostCalls) / 2);
  return {begin, begin + kMostCalls};
}

size_t count_inside(const Times& calls, const OpStretches& ops) {
  return static_cast<size_t>(std::count_if(
      calls.begin(), calls.end(), [&](int64_t call) { return ops.op_at(call) != OpStretches::kNone; }));
}

// Calls of one recorder and the operators of the other on the same thread.
struct Thread {
  Times calls;
  const OpStretches* ops;
};

double entropy_bits(double part, double all) {
  if (part == 0 || part == all) return 0;
  const double p = part / all;
  return -all * (p * std::log2(p) + (1 - p) * std::log2(1 - p));
}

double cost_of(const Thread& thread, int64_t shift_ns) {
  const std::vector<OpStretches::Op>& ops = thread.ops->ops();
  const auto starts_before = [](const OpStretches::Op& op, int64_t time) { return op.begin < time; };
  const auto first = std::lower_bound(ops.begin(), ops.end(), thread.calls.front() + shift_ns, starts_before);
  const auto last = std::lower_bound(first, ops.end(), thread.calls.back() + shift_ns, starts_before);
  std::vector<char> holds_call(ops.size(), 0);
  double cost = 0;
  for (const int64_t call : thread.calls) {
    const uint32_t op = thread.ops->op_at(call + shift_ns);
    if (op == OpStretches::kNone) {
      cost += 1;
    } else {
      holds_call[op] = 1;
    }
  }
  std::map<StringId, std::pair<double, double>> by_name;  // with a call, all
  for (auto op = first; op != last; ++op) {
    auto& [with, all] = by_name[op->name];
    with += holds_call[static_cast<size_t>(op - ops.begin())];
    all += 1;
  }
  for (const auto& [name, counts] : by_name) cost += entropy_bits(counts.first, counts.second);
  return cost;
}

double cost_of(const std::vector<Thread>& threads, int64_t shift_ns) {
  double cost = 0;
  for (const Thread& thread : threads) cost += cost_of(thread, shift_ns);
  return cost;
}

// Shifts that put many calls inside an operator: each call votes for those that put it into a stretch near
// it.
class Candidates {
 public:
  void add(const Thread& thread) {
    const std::vector<OpStretches::Stretch>& stretches = thread.ops->stretches();
    const size_t step = std::max<size_t>(1, thread.calls.size() / kMostVoters);
    for (size_t i = 0; i < thread.calls.size(); i += step) {
      const int64_t call = thread.calls[i];
      auto stretch = std::lower_bound(stretches.begin(), stretches.end(), call - kFarthestShiftNs,
                                      [](const OpStretches::Stretch& s, int64_t at) { return s.end < at; });
      for (; stretch != stretches.end() && stretch->begin <= call + kFarthestShiftNs; ++stretch) {
        if (ends_.size() >= 2 * kMostPairs) return;
        ends_.emplace_back(stretch->begin - call, 1);
        ends_.emplace_back(stretch->end - call, -1);
      }
    }
  }

  // The middles of the stretches of shifts with most votes; none within kSameNs of another.
  std::vector<int64_t> best() {
    std::sort(ends_.begin(), ends_.end());
    std::vector<std::pair<int, int64_t>> found;  // votes, shift
    int votes = 0;
    for (size_t i = 0; i + 1 < ends_.size(); ++i) {
      votes += ends_[i].second;
      if (ends_[i + 1].first > ends_[i].first) {
        found.emplace_back(votes, ends_[i].first + (ends_[i + 1].first - ends_[i].first) / 2);
      }
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : std::abs(a.second) < std::abs(b.second);
    });
    std::vector<int64_t> chosen;
    for (const auto& [count, shift] : found) {
      const bool is_new = std::none_of(chosen.begin(), chosen.end(), [shift = shift](int64_t other) {
        return std::abs(other - shift) < kSameNs;
      });
      if (is_new) chosen.push_back(shift);
      if (chosen.size() == kMostCandidates) break;
    }
    return chosen;
  }

 private:
  std::vector<std::pair<int64_t, int>> ends_;
};

// The host's operators on the thread of a device's track. A thread without a match may be any of its process
// with operators; where that is one alone it is that. nullptr: not known.
const OpStretches* ops_for(const Trace& host, const std::vector<OpStretches>& ops, const Trace& device,
                           uint32_t track, TrackId match) {
  if (match.exists()) return &ops[match.value];
  const OpStretches* only = nullptr;
  for (uint32_t h = 0; h < host.tracks.size(); ++h) {
    const bool is_same_process =
        host.strings[host.tracks[h].process] == device.strings[device.tracks[track].process];
    if (!is_same_process || ops[h].empty()) continue;
    if (only != nullptr) return nullptr;
    only = &ops[h];
  }
  return only;
}

}  // namespace

std::vector<TrackId> match_threads(const Trace& host, const Trace& device, int64_t offset_ns) {
  std::map<std::pair<std::string_view, std::string_view>, TrackId> by_name;
  for (uint32_t i = 0; i < host.tracks.size(); ++i) {
    const Track& track = host.tracks[i];
    by_name.try_emplace({host.strings[track.process], host.strings[track.thread]}, TrackId(i));
  }
  const std::vector<OpStretches> ops = OpStretches::of_tracks(host);
  const std::vector<Times> calls = calls_of(device, offset_ns);
  std::vector<TrackId> matched(device.tracks.size());
  std::vector<char> is_taken(host.tracks.size(), 0);
  for (uint32_t i = 0; i < device.tracks.size(); ++i) {
    const Track& track = device.tracks[i];
    const auto same = by_name.find({device.strings[track.process], device.strings[track.thread]});
    if (same == by_name.end()) continue;
    matched[i] = same->second;
    if (!calls[i].empty()) is_taken[same->second.value] = 1;
  }
  for (uint32_t i = 0; i < device.tracks.size(); ++i) {
    if (matched[i].exists() || calls[i].empty()) continue;
    const Track& track = device.tracks[i];
    const Times some = middle_part(calls[i]);
    size_t fitting = 0;
    for (uint32_t h = 0; h < host.tracks.size(); ++h) {
      if (is_taken[h] || host.strings[host.tracks[h].process] != device.strings[track.process]) continue;
      const auto inside = static_cast<double>(count_inside(some, ops[h]));
      if (inside < kNearlyAll * static_cast<double>(some.size())) continue;
      matched[i] = ++fitting == 1 ? TrackId(h) : TrackId();
    }
  }
  return matched;
}

ClockShift find_clock_shift(const Trace& host, const Trace& device, int64_t offset_ns) {
  const std::vector<OpStretches> ops = OpStretches::of_tracks(host);
  const std::vector<Times> calls = calls_of(device, offset_ns);
  const std::vector<TrackId> matches = match_threads(host, device, offset_ns);
  ClockShift found;
  std::vector<Thread> threads;
  Candidates candidates;
  for (uint32_t i = 0; i < device.tracks.size(); ++i) {
    if (calls[i].empty()) continue;
    const OpStretches* around = ops_for(host, ops, device, i, matches[i]);
    if (around == nullptr || around->empty()) continue;
    threads.push_back({middle_part(calls[i]), around});
    candidates.add(threads.back());
    found.calls += threads.back().calls.size();
  }
  if (found.calls < kFewestCalls) return found;
  found.cost_first = found.cost_bits = cost_of(threads, 0);
  double cheapest = std::min(kClearlyCheaper * found.cost_first,
                             found.cost_first - kLeastGain * static_cast<double>(found.calls));
  for (const int64_t shift : candidates.best()) {
    const double cost = cost_of(threads, shift);
    if (cost >= cheapest) continue;
    cheapest = found.cost_bits = cost;
    found.shift_ns = shift;
  }
  return found;
}

}  // namespace skyline::ingest
