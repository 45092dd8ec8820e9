#include "ingest/join/op_stretches.h"

#include <algorithm>

namespace skyline::ingest {

std::vector<OpStretches> OpStretches::of_tracks(const Trace& draft) {
  std::vector<OpStretches> tracks(draft.tracks.size());
  for (const SliceId slice : draft.ops.slice) {
    if (draft.slices.category[slice.value] != Category::kCpuOp) continue;
    const int64_t begin = draft.slices.start_ns[slice.value];
    tracks[draft.slices.track[slice.value].value].ops_.push_back(
        {begin, begin + draft.slices.dur_ns[slice.value], draft.slices.name[slice.value]});
  }
  for (OpStretches& track : tracks) track.cut();
  return tracks;
}

// Operators open and close like brackets; whoever is innermost has the time until the next bracket.
void OpStretches::cut() {
  std::sort(ops_.begin(), ops_.end(),
            [](const Op& a, const Op& b) { return a.begin != b.begin ? a.begin < b.begin : a.end > b.end; });
  std::vector<uint32_t> open;
  int64_t at = 0;
  const auto advance = [&](int64_t to) {
    if (!open.empty() && to > at) stretches_.push_back({at, to, open.back()});
    at = std::max(at, to);
  };
  const auto close_until = [&](int64_t time) {
    while (!open.empty() && ops_[open.back()].end <= time) {
      advance(ops_[open.back()].end);
      open.pop_back();
    }
  };
  for (uint32_t i = 0; i < ops_.size(); ++i) {
    close_until(ops_[i].begin);
    advance(ops_[i].begin);
    at = ops_[i].begin;
    // One that would end behind the operator around it ends with it.
    if (!open.empty()) ops_[i].end = std::min(ops_[i].end, ops_[open.back()].end);
    open.push_back(i);
  }
  close_until(INT64_MAX);
}

uint32_t OpStretches::op_at(int64_t time_ns) const {
  const auto behind = std::upper_bound(stretches_.begin(), stretches_.end(), time_ns,
                                       [](int64_t at, const Stretch& stretch) { return at < stretch.begin; });
  if (behind == stretches_.begin()) return kNone;
  const Stretch& stretch = *std::prev(behind);
  return time_ns < stretch.end ? stretch.op : kNone;
}

}  // namespace skyline::ingest
