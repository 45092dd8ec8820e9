// Timeline: a trace as it is drawn, track by track, at any level of detail.
//
//   const Timeline& timeline = analyzed.get<Timeline>();
//   for (const TimelineTrack& track : timeline.tracks()) …
//   SKYLINE_TRY(const TimelineTile tile, Timeline::tile(level, index));
//   SKYLINE_TRY(const auto entries, timeline.entries(tile, tracks));
//
// What tiles are made from is made when a track is first asked for. May be asked from any thread; the
// AnalyzedTrace must outlive it.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "analyze/core/analyzed_trace.h"
#include "analyze/timeline/counters.h"
#include "analyze/timeline/kinds.h"
#include "analyze/timeline/levels.h"
#include "analyze/timeline/links.h"
#include "analyze/timeline/range.h"
#include "analyze/timeline/rows.h"
#include "analyze/timeline/search.h"
#include "analyze/timeline/slice.h"
#include "analyze/timeline/tracks.h"
#include "base/result.h"
#include "trace/trace.h"

namespace skyline::analyze {

struct TimelineTrack {
  TrackLabel label;
  uint32_t rows;
  uint32_t slices;
};

class Timeline {
 public:
  // More tracks are not drawn; those of a file that has as many are noise.
  static constexpr size_t kMostTracks = 4096;

  explicit Timeline(const AnalyzedTrace& analyzed, unsigned threads = 0);

  const Trace& trace() const { return trace_; }
  const TimelineRows& rows() const { return rows_; }
  const TimelineKinds& kinds() const { return kinds_; }
  int64_t since_start(int64_t time_ns) const;
  std::span<const TimelineTrack> tracks() const { return tracks_; }

  // Level L has tiles of 1024 · 2^L ns; the first begins at the trace's start.
  static Result<TimelineTile> tile(int64_t level, int64_t index);

  // Per track the entries that reach into the tile, row by row.
  Result<std::vector<std::vector<TimelineEntry>>> entries(const TimelineTile& tile,
                                                          std::span<const int64_t> tracks) const;

  // Makes what tiles of these tracks need, on all threads.
  Status prepare(std::span<const int64_t> tracks) const;

  // Made when first asked for.
  std::span<const TimelineCounter> counters() const;
  Result<std::vector<CounterPoint>> points(const TimelineTile& tile, int64_t counter) const;

  Result<SliceAbout> about(int64_t slice) const;
  SearchResult search(std::string_view text, size_t limit) const;
  // Times are since the trace's start.
  Result<RangeSummary> range(int64_t start_ns, int64_t end_ns, std::span<const int64_t> tracks,
                             size_t most_names) const;

  // Tracks and slices by numbers that somebody else wrote.
  Result<std::vector<TrackId>> find_tracks(std::span<const int64_t> tracks) const;
  Result<SliceId> find_slice(int64_t slice) const;

  size_t held_bytes() const;

 private:
  using Levels = std::shared_ptr<const TrackLevels>;

  std::vector<Levels> levels(std::span<const TrackId> tracks) const;
  void make_levels(std::span<const TrackId> tracks) const;

  const AnalyzedTrace& analyzed_;
  const Trace& trace_;
  const unsigned threads_;
  const TimelineRows rows_;
  const TimelineKinds kinds_;
  std::vector<TimelineTrack> tracks_;

  // Made when first asked for.
  mutable std::once_flag counters_made_, links_made_, names_made_;
  mutable std::vector<TimelineCounter> counters_;
  mutable std::unique_ptr<const TimelineLinks> links_;
  mutable std::unique_ptr<const SliceNames> names_;

  mutable std::mutex making_;  // only one makes levels, with all threads
  mutable std::mutex mutex_;
  mutable std::vector<Levels> levels_;  // per track of the trace; null: not made yet
};

}  // namespace skyline::analyze
