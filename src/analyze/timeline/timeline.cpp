#include "analyze/timeline/timeline.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyze/core/saturate.h"
#include "base/parallel.h"

namespace skyline::analyze {
namespace {

// Entries of one answer: far more than can be drawn. Only files with absurdly many rows, or requests that
// name a track again and again, come near it; they get entries of coarser levels.
constexpr size_t kMostEntries = 400'000;
constexpr size_t kAlwaysAllowed = size_t{4} * TimelineTile::kBuckets;  // of each track
constexpr int kCoarser = 4;

std::vector<TimelineEntry> entries_within(const TrackLevels& levels, TimelineTile tile, size_t most) {
  std::vector<TimelineEntry> entries;
  levels.add_tile(tile, entries);
  while (entries.size() > most && tile.level + kCoarser <= TimelineTile::kLastLevel) {
    tile.level += kCoarser;
    entries.clear();
    levels.add_tile(tile, entries);
  }
  return entries;
}

}  // namespace

Timeline::Timeline(const AnalyzedTrace& analyzed, unsigned threads)
    : analyzed_(analyzed),
      trace_(analyzed.trace()),
      threads_(thread_count(threads)),
      rows_(trace_, threads_),
      kinds_(trace_),
      levels_(trace_.tracks.size()) {
  for (TrackLabel& label : label_tracks(analyzed, threads_)) {
    if (tracks_.size() == kMostTracks) break;
    const TrackId id = label.id;
    tracks_.push_back({std::move(label), rows_.rows_of(id), trace_.tracks[id.value].slice_count});
  }
}

int64_t Timeline::since_start(int64_t time_ns) const { return minus(time_ns, trace_.first_ns); }

Result<TimelineTile> Timeline::tile(int64_t level, int64_t index) {
  if (level < 0 || level > TimelineTile::kLastLevel) {
    return Error{fmt::format("level {} of a timeline is not from 0 to {}", level, TimelineTile::kLastLevel)};
  }
  const int shift = static_cast<int>(level) + TimelineTile::kBucketBits;
  const int64_t most = INT64_MAX >> shift;
  if (index < -most - 1 || index > most) {
    return Error{fmt::format("level {} of a timeline has no tile {}", level, index)};
  }
  const int64_t begin = index * (int64_t{1} << shift);
  return TimelineTile{static_cast<int>(level), begin, plus(begin, int64_t{1} << shift)};
}

Result<std::vector<TrackId>> Timeline::find_tracks(std::span<const int64_t> tracks) const {
  std::vector<TrackId> found;
  for (const int64_t track : tracks) {
    if (track < 0 || track >= static_cast<int64_t>(trace_.tracks.size())) {
      return Error{fmt::format("the trace has no track {}", track)};
    }
    found.emplace_back(static_cast<uint32_t>(track));
  }
  return found;
}

Result<SliceId> Timeline::find_slice(int64_t slice) const {
  if (slice < 0 || slice >= static_cast<int64_t>(trace_.slices.size())) {
    return Error{fmt::format("the trace has no slice {}", slice)};
  }
  return SliceId(static_cast<uint32_t>(slice));
}

Result<std::vector<std::vector<TimelineEntry>>> Timeline::entries(const TimelineTile& tile,
                                                                  std::span<const int64_t> tracks) const {
  SKYLINE_TRY(const std::vector<TrackId> ids, find_tracks(tracks));
  std::vector<std::vector<TimelineEntry>> entries;
  size_t left = kMostEntries;
  for (const Levels& of_track : levels(ids)) {
    entries.push_back(entries_within(*of_track, tile, std::max(left, kAlwaysAllowed)));
    left -= std::min(left, entries.back().size());
  }
  return entries;
}

Status Timeline::prepare(std::span<const int64_t> tracks) const {
  SKYLINE_TRY(const std::vector<TrackId> ids, find_tracks(tracks));
  levels(ids);
  return Done{};
}

std::vector<Timeline::Levels> Timeline::levels(std::span<const TrackId> tracks) const {
  const auto known = [&] {
    std::vector<Levels> all;
    const std::lock_guard lock(mutex_);
    for (const TrackId id : tracks) all.push_back(levels_[id.value]);
    return all;
  };
  std::vector<Levels> all = known();
  if (std::find(all.begin(), all.end(), nullptr) == all.end()) return all;
  make_levels(tracks);
  return known();
}

void Timeline::make_levels(std::span<const TrackId> tracks) const {
  const std::lock_guard making(making_);
  std::vector<TrackId> missing;
  {
    const std::lock_guard lock(mutex_);
    for (const TrackId id : tracks) {
      if (levels_[id.value] == nullptr) missing.push_back(id);
    }
  }
  std::sort(missing.begin(), missing.end());
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());

  // First track by track, then row by row, since most slices may be on one track.
  std::vector<std::shared_ptr<TrackLevels>> made(missing.size());
  parallel_for(made.size(), threads_,
               [&](size_t i) { made[i] = std::make_shared<TrackLevels>(trace_, rows_, missing[i]); });
  struct RowOf {
    TrackLevels* track;
    uint32_t row;
  };
  std::vector<RowOf> rows;
  for (const auto& track : made) {
    for (uint32_t row = 0; row < track->row_count(); ++row) rows.push_back({track.get(), row});
  }
  parallel_for(rows.size(), threads_, [&](size_t i) { rows[i].track->make_levels(rows[i].row); });

  const std::lock_guard lock(mutex_);
  for (size_t i = 0; i < made.size(); ++i) levels_[missing[i].value] = std::move(made[i]);
}

std::span<const TimelineCounter> Timeline::counters() const {
  std::call_once(counters_made_, [&] { counters_ = timeline_counters(analyzed_, threads_); });
  return counters_;
}

Result<std::vector<CounterPoint>> Timeline::points(const TimelineTile& tile, int64_t counter) const {
  const std::span<const TimelineCounter> all = counters();
  if (counter < 0 || counter >= static_cast<int64_t>(all.size())) {
    return Error{fmt::format("the timeline has no counter {}", counter)};
  }
  return all[static_cast<size_t>(counter)].levels.tile(tile);
}

Result<SliceAbout> Timeline::about(int64_t slice) const {
  SKYLINE_TRY(const SliceId id, find_slice(slice));
  std::call_once(links_made_, [&] { links_ = std::make_unique<TimelineLinks>(trace_); });
  return about_slice(trace_, *links_, id);
}

SearchResult Timeline::search(std::string_view text, size_t limit) const {
  std::call_once(names_made_, [&] { names_ = std::make_unique<SliceNames>(trace_, threads_); });
  return search_slices(trace_, *names_, text, limit, threads_);
}

Result<RangeSummary> Timeline::range(int64_t start_ns, int64_t end_ns, std::span<const int64_t> tracks,
                                     size_t most_names) const {
  SKYLINE_TRY(const std::vector<TrackId> ids, find_tracks(tracks));
  if (end_ns < start_ns)
    return Error{"a range of time ends before it begins; give its ends the other way round"};
  return sum_up_range(trace_, plus(start_ns, trace_.first_ns), plus(end_ns, trace_.first_ns), ids, most_names,
                      threads_);
}

size_t Timeline::held_bytes() const {
  const std::lock_guard lock(mutex_);
  size_t bytes = 0;
  for (const Levels& each : levels_) bytes += each == nullptr ? 0 : each->held_bytes();
  return bytes;
}

}  // namespace skyline::analyze
