#include "analyze/timeline/levels.h"

#include <algorithm>
#include <array>
#include <bit>

#include "analyze/core/saturate.h"

namespace skyline::analyze {
namespace {

constexpr int kNoLevel = -1;       // finer than all: only what overlaps is together
constexpr size_t kShortRow = 512;  // entries that are gone through in no time

int bits(int64_t value) { return 64 - std::countl_zero(static_cast<uint64_t>(value)); }

}  // namespace

// The slices of a row as entries of one.
class TrackLevels::Slices {
 public:
  Slices(const Trace& trace, std::span<const SliceId> slices) : trace_(trace), slices_(slices) {}

  size_t size() const { return slices_.size(); }
  int64_t start_ns(size_t i) const {
    return minus(trace_.slices.start_ns[slices_[i].value], trace_.first_ns);
  }
  Kept operator[](size_t i) const {
    const int64_t start = start_ns(i);
    return {start, plus(start, trace_.slices.dur_ns[slices_[i].value]), slices_[i], 1};
  }

 private:
  const Trace& trace_;
  std::span<const SliceId> slices_;
};

class TrackLevels::Entries {
 public:
  explicit Entries(const std::vector<Kept>& entries) : entries_(entries) {}

  size_t size() const { return entries_.size(); }
  int64_t start_ns(size_t i) const { return entries_[i].start_ns; }
  const Kept& operator[](size_t i) const { return entries_[i]; }

 private:
  const std::vector<Kept>& entries_;
};

// Makes entries of a level from those of a finer one.
struct TrackLevels::Merger {
  const Trace& trace;
  int level;

  bool is_short(const Kept& entry) const { return bits(minus(entry.end_ns, entry.start_ns)) <= level; }
  bool share_bucket(int64_t a, int64_t b) const { return (a >> level) == (b >> level); }

  void join(Kept& entry, const Kept& next) const {
    entry.end_ns = std::max(entry.end_ns, next.end_ns);
    entry.slices += next.slices;
    const Column<int64_t>& dur = trace.slices.dur_ns;
    if (dur[next.slice.value] > dur[entry.slice.value]) entry.slice = next.slice;
  }

  // The entry that begins with `i`, which becomes the number of the one behind it.
  template <typename Finer>
  Kept take(const Finer& finer, size_t& i) const {
    Kept entry = finer[i++];
    if (!is_short(entry)) return entry;
    const int64_t start = entry.start_ns;
    for (; i < finer.size() && share_bucket(start, finer.start_ns(i)); ++i) {
      const Kept& next = finer[i];
      if (!is_short(next)) break;
      join(entry, next);
    }
    return entry;
  }

  template <typename Finer>
  std::vector<Kept> all(const Finer& finer, size_t count) const {
    std::vector<Kept> entries;
    entries.reserve(count);
    for (size_t i = 0; i < finer.size();) entries.push_back(take(finer, i));
    return entries;
  }

  template <typename Finer, typename Emit>
  void in_tile(const Finer& finer, const TimelineTile& tile, Emit emit) const {
    // Short ones that reach in start in the bucket before; what starts earlier and reaches in stands alone,
    // and is the last to do so.
    const int64_t bucket = int64_t{1} << level;
    const int64_t from = minus((tile.begin_ns >> level) * bucket, bucket);
    size_t low = 0, high = finer.size();
    while (low < high) {
      const size_t middle = low + (high - low) / 2;
      if (finer.start_ns(middle) < from) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    size_t i = low;
    if (i > 0 && finer[i - 1].end_ns > tile.begin_ns) emit(finer[i - 1]);
    while (i < finer.size() && finer.start_ns(i) < tile.end_ns) {
      const Kept entry = take(finer, i);
      if (tile.holds(entry.start_ns, entry.end_ns)) emit(entry);
    }
  }
};

TrackLevels::TrackLevels(const Trace& trace, const TimelineRows& rows, TrackId id)
    : trace_(trace), rows_(rows.rows_of(id)) {
  const Track& track = trace.tracks[id.value];
  for (uint32_t i = 0; i < track.slice_count; ++i) {
    ++rows_[rows.row_of(SliceId(track.first_slice.value + i))].end;
  }
  uint32_t next = 0;
  for (Row& row : rows_) {
    row.begin = next;
    next += row.end;
    row.end = row.begin;
  }
  by_row_.resize(track.slice_count);
  for (uint32_t i = 0; i < track.slice_count; ++i) {
    const SliceId slice(track.first_slice.value + i);
    by_row_[rows_[rows.row_of(slice)].end++] = slice;
  }
}

// The finest level that is kept; none if the row is short or its slices stand apart on all levels.
TrackLevels::Level TrackLevels::first_level(std::span<const SliceId> of) const {
  const Slices slices(trace_, of);
  // How many neighbours become one entry on each level.
  std::array<size_t, 65> joins{};
  int64_t end = INT64_MIN;
  int64_t start = 0;
  int length = 64;
  bool overlap = false;
  for (size_t i = 0; i < slices.size(); ++i) {
    const Kept slice = slices[i];
    overlap |= slice.start_ns < end;
    end = std::max(end, slice.end_ns);
    const int next_length = bits(minus(slice.end_ns, slice.start_ns));
    const int together = bits(start ^ slice.start_ns);
    if (i > 0) ++joins[std::max({length, next_length, together})];
    start = slice.start_ns;
    length = next_length;
  }
  if (overlap) {
    Level level{kNoLevel, {}};
    for (size_t i = 0; i < slices.size(); ++i) {
      const Kept slice = slices[i];
      if (i > 0 && slice.start_ns < level.entries.back().end_ns) {
        Merger{trace_, kNoLevel}.join(level.entries.back(), slice);
      } else {
        level.entries.push_back(slice);
      }
    }
    return level;
  }
  if (slices.size() <= kShortRow) return {};
  size_t left = slices.size();
  for (int level = 0; level <= TimelineTile::kLastLevel; ++level) {
    left -= joins[level];
    if (level % kTimelineLevelStep == 0 && left <= slices.size() / kTimelineWorthKeeping) {
      return {level, Merger{trace_, level}.all(slices, left)};
    }
  }
  return {};
}

void TrackLevels::make_levels(uint32_t number) {
  Row& row = rows_[number];
  Level first = first_level(slices(number));
  if (first.entries.empty()) return;
  row.levels.push_back(std::move(first));
  int level = row.levels.back().level + kTimelineLevelStep;
  for (; level <= TimelineTile::kLastLevel; level += kTimelineLevelStep) {
    const std::vector<Kept>& finer = row.levels.back().entries;
    if (finer.size() <= kShortRow) return;
    std::vector<Kept> entries = Merger{trace_, level}.all(Entries(finer), 0);
    // A level that is hardly coarser is no help.
    if (entries.size() > finer.size() - finer.size() / 4) continue;
    entries.shrink_to_fit();
    row.levels.push_back({level, std::move(entries)});
  }
}

void TrackLevels::add_tile(const TimelineTile& tile, std::vector<TimelineEntry>& entries) const {
  const Merger merger{trace_, tile.level};
  for (uint32_t number = 0; number < rows_.size(); ++number) {
    const Row& row = rows_[number];
    const auto emit = [&](const Kept& entry) {
      entries.push_back({entry.start_ns, entry.end_ns, entry.slice, entry.slices, number});
    };
    const Level* finer = nullptr;
    for (const Level& level : row.levels) {
      if (level.level <= tile.level) finer = &level;
    }
    if (finer != nullptr) {
      merger.in_tile(Entries(finer->entries), tile, emit);
    } else {
      merger.in_tile(Slices(trace_, slices(number)), tile, emit);
    }
  }
}

size_t TrackLevels::held_bytes() const {
  size_t bytes = by_row_.capacity() * sizeof(SliceId) + rows_.capacity() * sizeof(Row);
  for (const Row& row : rows_) {
    for (const Level& level : row.levels) bytes += level.entries.capacity() * sizeof(Kept);
  }
  return bytes;
}

}  // namespace skyline::analyze
