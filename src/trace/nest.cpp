// Nesting slices.
//
// A slice is the child of the innermost slice that is open when it starts and that encloses it. In
// real files about half of all traces break that rule somewhere:
//
//   op      [=========]            a clock cut to whole microseconds lets children stick out by one
//   child        [=====]           tick, so that much is forgiven;
//
//   kernel a [======]              kernels overlap on their stream, annotations cross operators:
//   kernel b     [======]          b does not fit into a and moves to the next lane, whole.
//
// Each lane has its own stack, and a slice goes to the first lane where it fits. One pass, no slice
// is dropped or cut.
#include "trace/nest.h"

#include <algorithm>

#include "base/parallel.h"

namespace skyline {
namespace {

struct Open {
  int64_t end;
  SliceId slice;
};

class TrackNester {
 public:
  TrackNester(SliceTable& slices, int64_t tolerance) : slices_(slices), tolerance_(tolerance) {}

  void add(SliceId slice) {
    const int64_t start = slices_.start_ns[slice.value], end = start + slices_.dur_ns[slice.value];
    uint16_t lane = 0;
    for (;; ++lane) {
      if (lane == lanes_.size()) lanes_.emplace_back();
      std::vector<Open>& stack = lanes_[lane];
      while (!stack.empty() && stack.back().end <= start) stack.pop_back();
      if (stack.empty() || fits(end, stack.back())) break;
      if (lane == kLastLane) {
        // Lanes are a drawing aid; past this many the file is noise, and the last lane takes the rest.
        while (!stack.empty() && !fits(end, stack.back())) stack.pop_back();
        break;
      }
    }
    std::vector<Open>& stack = lanes_[lane];
    const SliceId parent = stack.empty() ? SliceId() : stack.back().slice;
    slices_.parent[slice.value] = parent;
    const int depth = parent.exists() ? slices_.depth[parent.value] + 1 : 0;
    slices_.depth[slice.value] = static_cast<uint16_t>(std::min(depth, int{UINT16_MAX}));
    slices_.lane[slice.value] = lane;
    stack.push_back({end, slice});
  }

  uint16_t lane_count() const { return static_cast<uint16_t>(lanes_.size()); }

 private:
  static constexpr uint16_t kLastLane = 255;

  bool fits(int64_t end, const Open& around) const { return end <= around.end + tolerance_; }

  SliceTable& slices_;
  int64_t tolerance_;
  std::vector<std::vector<Open>> lanes_;
};

}  // namespace

void nest_slices(Trace& draft, unsigned threads) {
  SliceTable& slices = draft.slices;
  slices.parent.resize_uninitialized(slices.size());
  slices.depth.resize_uninitialized(slices.size());
  slices.lane.resize_uninitialized(slices.size());
  const int64_t tick_ns = draft.info.whole_microseconds ? 1000 : 1;
  parallel_for(draft.tracks.size(), threads, [&](size_t t) {
    Track& track = draft.tracks[t];
    TrackNester nester(slices, tick_ns);
    for (uint32_t i = 0; i < track.slice_count; ++i) nester.add(SliceId(track.first_slice.value + i));
    track.lanes = nester.lane_count();
  });
}

}  // namespace skyline
