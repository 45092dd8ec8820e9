// Which call started this kernel, and which op made the call.
//
// Kernels may start before their launch returns, and External id means three different things in
// the history of torch, so the join is by correlation id alone, and from call to op by nesting.
//
// Correlation ids count from 1 in every process, so a file that holds several processes has several
// calls with the same id. A device track belongs to one process; its unambiguous ids tell which.
#include "trace/link.h"

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

class LaunchLinker {
 public:
  explicit LaunchLinker(Trace& draft)
      : draft_(draft), slices_(draft.slices), index_(draft.launches.correlation) {}

  void run() {
    ActivityTable& activities = draft_.activities;
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
    for (const uint32_t a : ambiguous) link(a, choose(a));
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

  // Of several calls with the activity's id: those of its track's process if one is known, then the
  // latest that starts before the activity, then the earliest after it.
  uint32_t choose(uint32_t activity) const {
    const SliceId slice = draft_.activities.slice[activity];
    const int64_t start = slices_.start_ns[slice.value];
    const StringId process = known_process(track_of(slice));
    uint32_t best = kNoRow;
    bool best_matches = false;
    for (uint32_t launch = index_.first(draft_.activities.correlation[activity]); launch != kNoRow;
         launch = index_.next(launch)) {
      const bool matches = process.exists() && process_of(launch) == process;
      if (best == kNoRow || (matches && !best_matches) ||
          (matches == best_matches && nearer(launch, best, start))) {
        best = launch;
        best_matches = matches;
      }
    }
    return best;
  }

  bool nearer(uint32_t launch, uint32_t best, int64_t activity_start) const {
    const int64_t a = slices_.start_ns[draft_.launches.slice[launch].value];
    const int64_t b = slices_.start_ns[draft_.launches.slice[best].value];
    if ((a <= activity_start) != (b <= activity_start)) return a <= activity_start;
    return a <= activity_start ? a > b : a < b;
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
};

void link_calls_to_ops(Trace& draft) {
  const SliceTable& slices = draft.slices;
  LaunchTable& launches = draft.launches;
  for (uint32_t l = 0; l < launches.size(); ++l) {
    SliceId slice = slices.parent[launches.slice[l].value];
    while (slice.exists() && slices.category[slice.value] != Category::kCpuOp) slice = slices.parent[slice.value];
    launches.op[l] = slice;
  }
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
