// Levels of detail of one track: what is worth drawing when a bucket of time is as wide as a pixel.
//
// On level L a bucket is 2^L ns. Per row, slices of at least a bucket stand alone; shorter ones that follow
// each other and start in the same bucket are one entry:
//
//   slices    [=========]  || | |     |   [====]
//   buckets  |       |       |       |       |
//   entries   [=========]  [====]     |   [====]
//
// So whether two neighbours are one entry depends on these two alone: from the level on where both are short
// and their starts share a bucket. Once together, they stay so on all coarser levels, each of which can
// therefore be made from any finer one; a tile holds the same entries as the row itself, at most two per
// bucket and one that reaches in.
//
// Kept are the slices by row and, for long rows, entries of every second level from the one on that has at
// most a quarter of them; what is asked for in between is made from the next finer one. Costs 4 bytes per
// slice and about 8 more in long rows, two passes over the slices to make, and time for a few thousand
// entries per row and tile.
//
// Slices of one row do not overlap, except where nesting gave up (the last lane, the last row): there those
// that overlap are one entry on every level.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyze/timeline/rows.h"
#include "trace/trace.h"

namespace skyline::analyze {

// Times are since the trace's start.
struct TimelineEntry {
  int64_t start_ns;
  int64_t end_ns;
  SliceId slice;    // the longest, the first of several
  uint32_t slices;  // how many
  uint32_t row;

  bool operator==(const TimelineEntry&) const = default;
};

// A stretch of time on a level.
struct TimelineTile {
  static constexpr int kBuckets = 1024;
  static constexpr int kBucketBits = 10;
  static constexpr int kLastLevel = 52;  // a tile of 2^62 ns

  int level;
  int64_t begin_ns;
  int64_t end_ns;

  bool holds(int64_t start_ns, int64_t until_ns) const {
    return start_ns < end_ns && (until_ns > begin_ns || start_ns >= begin_ns);
  }
};

// Levels that are kept of a long row: every second one that has a quarter of the finer one's entries.
inline constexpr int kTimelineLevelStep = 2;
inline constexpr size_t kTimelineWorthKeeping = 4;

class TrackLevels {
 public:
  // Without levels: slices by row. The rest is row by row, so that threads can share it.
  TrackLevels(const Trace& trace, const TimelineRows& rows, TrackId track);
  void make_levels(uint32_t row);

  uint32_t row_count() const { return static_cast<uint32_t>(rows_.size()); }

  // The slices of a row by start.
  std::span<const SliceId> slices(uint32_t row) const {
    return {by_row_.data() + rows_[row].begin, rows_[row].end - rows_[row].begin};
  }

  // Adds the entries that reach into the tile, row by row, in the order of time.
  void add_tile(const TimelineTile& tile, std::vector<TimelineEntry>& entries) const;

  size_t held_bytes() const;

 private:
  struct Kept {  // an entry of a level
    int64_t start_ns;
    int64_t end_ns;
    SliceId slice;
    uint32_t slices;
  };
  struct Level {
    int level;
    std::vector<Kept> entries;
  };
  struct Row {
    uint32_t begin = 0;
    uint32_t end = 0;
    std::vector<Level> levels = {};  // finest first
  };
  class Slices;
  class Entries;
  struct Merger;

  Level first_level(std::span<const SliceId> slices) const;

  const Trace& trace_;
  std::vector<SliceId> by_row_;
  std::vector<Row> rows_;
};

}  // namespace skyline::analyze
