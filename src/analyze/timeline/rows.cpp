#include "analyze/timeline/rows.h"

#include <algorithm>

#include "base/parallel.h"

namespace skyline::analyze {

TimelineRows::TimelineRows(const Trace& trace, unsigned threads)
    : trace_(trace), row_counts_(trace.tracks.size()) {
  uint32_t lanes = 0;
  for (const Track& track : trace.tracks) {
    first_lanes_.push_back(lanes);
    lanes += track.lanes;
  }
  lane_rows_.assign(lanes, 0);
  parallel_for(trace.tracks.size(), threads, [&](size_t t) {
    const Track& track = trace.tracks[t];
    uint32_t* const rows = lane_rows_.data() + first_lanes_[t];
    // First how many rows each lane needs, then where it begins.
    for (uint32_t i = 0; i < track.slice_count; ++i) {
      const uint32_t slice = track.first_slice.value + i;
      uint32_t& needed = rows[trace.slices.lane[slice]];
      needed = std::max<uint32_t>(needed, trace.slices.depth[slice] + 1);
    }
    uint32_t next = 0;
    for (uint32_t lane = 0; lane < track.lanes; ++lane) {
      const uint32_t needed = rows[lane];
      rows[lane] = std::min(next, kMostRows);
      next += needed;
    }
    row_counts_[t] = std::min(next, kMostRows);
  });
}

}  // namespace skyline::analyze
