// Which row of its track a slice is drawn on: lane after lane, the depths of each from the outside inwards.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/trace.h"

namespace skyline::analyze {

class TimelineRows {
 public:
  // Nobody reads more rows of one track; what would stand below is drawn on the last one.
  static constexpr uint32_t kMostRows = 1024;

  TimelineRows(const Trace& trace, unsigned threads);

  uint32_t rows_of(TrackId track) const { return row_counts_[track.value]; }

  uint32_t row_of(SliceId slice) const {
    const SliceTable& slices = trace_.slices;
    const uint32_t lane = first_lanes_[slices.track[slice.value].value] + slices.lane[slice.value];
    const uint32_t row = lane_rows_[lane] + slices.depth[slice.value];
    return row < kMostRows ? row : kMostRows - 1;
  }

 private:
  const Trace& trace_;
  std::vector<uint32_t> first_lanes_;  // per track, a place in lane_rows_
  std::vector<uint32_t> lane_rows_;    // the row of a lane's outermost slices
  std::vector<uint32_t> row_counts_;   // per track
};

}  // namespace skyline::analyze
