// Which call started this kernel, and which op made the call.
//
// Kernels may start before their launch returns, and External id means three different things in
// the history of torch, so the join is by correlation id alone, and from call to op by nesting.
//
// Correlation ids count from 1 in every process, so a file that holds several processes has several
// calls with the same id. A device track belongs to one process; its unambiguous ids tell which.

#include "trace/link_launches.h"

#include <algorithm>
#include <map>

#include "base/hash.h"

namespace skyline {
namespace {

// correlation id -> rows of the launch table, in order; a chained hash table of two columns.
class CorrelationIndex {
 public:
  explicit CorrelationIndex(const Column<uint64_t>& correlations) : correlations_(correlations) {
    size_t size = 64;
    while (size < correlations.size() * 2) size *= 2;
    mask_ = size - 1;
    heads_.assign(size, kNoRow);
    next_.assign(correlations.size(), kNoRow);
    // Backwards, so that each chain lists its rows in increasing order.
    for (size_t i = correlations.size(); i-- > 0;) {
      if (correlations[i] == kNoCorrelation) continue;
      uint32_t& head = heads_[slot(correlations[i])];
      next_[i] = head;
      head = static_cast<uint32_t>(i);
    }
  }

  uint32_t first(uint64_t correlation) const { return find(heads_[slot(correlation)], correlation); }
  uint32_t next(uint32_t row) const { return find(next_[row], correlations_[row]); }

 private:
  size_t slot(uint64_t correlation) const { return mix_u64(correlation, 0x9e3779b97f4a7c15) & mask_; }
  uint32_t find(uint32_t row, uint64_t correlation) const {
    while (row != kNoRow && correlations_[row] != correlation) row = next_[row];
    return row;
  }

  const Column<uint64_t>& correlations_;
  Column<uint32_t> heads_;
  Column<uint32_t> next_;
  size_t mask_ = 0;
};

// A call that may have started an activity.
struct Candidate {
  StringId process;
  int64_t start_ns;
  uint32_t row;
};

class LaunchLinker {
 public:
  explicit LaunchLinker(Trace& draft)
      : draft_(draft), slices_(draft.slices), index_(draft.launches.correlation) {}

  void run() {
    const ActivityTable& activities = draft_.activities;
    std::vector<uint32_t> ambiguous;
    for (uint32_t a = 0; a < activities.size(); ++a) {
      const uint64_t correlation = activities.correlation[a];
      const uint32_t launch = correlation == kNoCorrelation ? kNoRow : index_.first(correlation);
      if (launch == kNoRow) continue;
      if (index_.next(launch) != kNoRow) {
        ambiguous.push_back(a);
        continue;
      }
      link(a, launch);
      ++votes_[track_of(activities.slice[a])][process_of(launch)];
    }
    link_ambiguous(std::move(ambiguous));
  }

 private:
  StringId process_of(uint32_t launch) const {
    return draft_.tracks[track_of(draft_.launches.slice[launch]).value].process;
  }
  TrackId track_of(SliceId slice) const { return slices_.track[slice.value]; }

  void link(uint32_t activity, uint32_t launch) {
    draft_.activities.launch[activity] = draft_.launches.slice[launch];
    ++draft_.launches.activities[launch];
  }

  // Activities with the same id share their candidates, so each list is made once.
  void link_ambiguous(std::vector<uint32_t> activities) {
    const Column<uint64_t>& correlation = draft_.activities.correlation;
    std::stable_sort(activities.begin(), activities.end(),
                     [&](uint32_t a, uint32_t b) { return correlation[a] < correlation[b]; });
    for (size_t begin = 0, end = 0; begin < activities.size(); begin = end) {
      while (end < activities.size() && correlation[activities[end]] == correlation[activities[begin]]) ++end;
      collect_candidates(correlation[activities[begin]]);
      for (size_t i = begin; i < end; ++i) link(activities[i], choose(activities[i]));
    }
  }

  void collect_candidates(uint64_t correlation) {
    by_start_.clear();
    for (uint32_t row = index_.first(correlation); row != kNoRow; row = index_.next(row)) {
      by_start_.push_back({process_of(row), slices_.start_ns[draft_.launches.slice[row].value], row});
    }
    const auto earlier = [](const Candidate& a, const Candidate& b) { return a.start_ns < b.start_ns; };
    std::stable_sort(by_start_.begin(), by_start_.end(), earlier);
    by_process_ = by_start_;
    std::stable_sort(by_process_.begin(), by_process_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.process < b.process; });
  }

  // Those of the track's process if one is known, then the latest that starts before the activity,
  // then the earliest after it.
  uint32_t choose(uint32_t activity) const {
    const SliceId slice = draft_.activities.slice[activity];
    const int64_t start = slices_.start_ns[slice.value];
    const StringId process = known_process(track_of(slice));
    if (process.exists()) {
      const auto [first, last] =
          std::equal_range(by_process_.begin(), by_process_.end(), Candidate{process, 0, 0},
                           [](const Candidate& a, const Candidate& b) { return a.process < b.process; });
      if (first != last) return nearest({first, last}, start);
    }
    return nearest(by_start_, start);
  }

  static uint32_t nearest(std::span<const Candidate> candidates, int64_t start) {
    const auto later = [](int64_t at, const Candidate& c) { return at < c.start_ns; };
    const auto behind = std::upper_bound(candidates.begin(), candidates.end(), start, later);
    if (behind == candidates.begin()) return candidates.front().row;
    // Of several that start together, the first in the file's order.
    const auto sooner = [](const Candidate& c, int64_t at) { return c.start_ns < at; };
    return std::lower_bound(candidates.begin(), behind, (behind - 1)->start_ns, sooner)->row;
  }

  // The process with the most unambiguous links from this track; the smaller id on a tie.
  StringId known_process(TrackId track) const {
    const auto votes = votes_.find(track);
    if (votes == votes_.end()) return StringId();
    StringId best;
    uint32_t most = 0;
    for (const auto& [process, count] : votes->second) {
      const bool smaller = numeric_less(draft_.strings[process], draft_.strings[best]);
      if (count > most || (count == most && smaller)) {
        best = process;
        most = count;
      }
    }
    return best;
  }

  static bool numeric_less(std::string_view a, std::string_view b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  }

  Trace& draft_;
  const SliceTable& slices_;
  CorrelationIndex index_;
  std::map<TrackId, std::map<StringId, uint32_t>> votes_;
  std::vector<Candidate> by_start_, by_process_;  // of the id at hand
};

// Parents stand before their children, so one pass tells the op around each slice, however deep.
void link_calls_to_ops(Trace& draft) {
  const SliceTable& slices = draft.slices;
  if (draft.launches.size() == 0) return;
  Column<SliceId> op_around;
  op_around.resize_uninitialized(slices.size());
  for (uint32_t s = 0; s < slices.size(); ++s) {
    const SliceId parent = slices.parent[s];
    const bool is_op = parent.exists() && slices.category[parent.value] == Category::kCpuOp;
    op_around[s] = is_op || !parent.exists() ? parent : op_around[parent.value];
  }
  LaunchTable& launches = draft.launches;
  for (uint32_t l = 0; l < launches.size(); ++l) launches.op[l] = op_around[launches.slice[l].value];
}

}  // namespace

void link_launches(Trace& draft) {
  draft.activities.launch.assign(draft.activities.size(), SliceId());
  draft.launches.activities.assign(draft.launches.size(), 0);
  draft.launches.op.resize_uninitialized(draft.launches.size());
  LaunchLinker(draft).run();
  link_calls_to_ops(draft);
}

}  // namespace skyline
