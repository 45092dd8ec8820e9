#include "analyze/timeline/levels.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "analyze/core/test_random_trace.h"
#include "analyze/timeline/timeline.h"

namespace skyline::analyze {
namespace {

using Entries = std::vector<TimelineEntry>;

std::vector<int64_t> all_tracks(const Trace& trace) {
  std::vector<int64_t> tracks(trace.tracks.size());
  for (size_t i = 0; i < tracks.size(); ++i) tracks[i] = static_cast<int64_t>(i);
  return tracks;
}

Entries tile_of(const Timeline& timeline, int64_t track, int64_t level, int64_t index) {
  const Result<TimelineTile> tile = Timeline::tile(level, index);
  return timeline.entries(tile.value(), std::vector<int64_t>{track}).value().front();
}

// The definition, slice by slice and without any cleverness: what overlaps is together; of the rest, short
// ones in a row whose starts share a bucket.
Entries obvious_entries(const Timeline& timeline, TrackId track, int level) {
  const Trace& trace = timeline.trace();
  std::map<uint32_t, Entries> rows;
  for (uint32_t s = 0; s < trace.slices.size(); ++s) {
    if (trace.slices.track[s] != track) continue;
    const int64_t start = trace.slices.start_ns[s] - trace.first_ns;
    Entries& row = rows[timeline.rows().row_of(SliceId(s))];
    const TimelineEntry one{start, start + trace.slices.dur_ns[s], SliceId(s), 1,
                            timeline.rows().row_of(SliceId(s))};
    if (row.empty() || row.back().end_ns <= start) {
      row.push_back(one);
      continue;
    }
    TimelineEntry& last = row.back();
    if (trace.slices.dur_ns[s] > trace.slices.dur_ns[last.slice.value]) last.slice = one.slice;
    last.end_ns = std::max(last.end_ns, one.end_ns);
    ++last.slices;
  }
  const int64_t bucket = int64_t{1} << level;
  const auto bucket_of = [&](int64_t time) { return time < 0 ? (time + 1) / bucket - 1 : time / bucket; };
  const auto is_short = [&](const TimelineEntry& entry) { return entry.end_ns - entry.start_ns < bucket; };
  Entries all;
  for (const auto& [number, row] : rows) {
    bool joins = false;  // whether the latest entry may take more
    for (const TimelineEntry& each : row) {
      if (joins && is_short(each) && bucket_of(all.back().start_ns) == bucket_of(each.start_ns)) {
        TimelineEntry& last = all.back();
        if (trace.slices.dur_ns[each.slice.value] > trace.slices.dur_ns[last.slice.value])
          last.slice = each.slice;
        last.end_ns = std::max(last.end_ns, each.end_ns);
        last.slices += each.slices;
      } else {
        all.push_back(each);
        joins = is_short(each);
      }
    }
  }
  return all;
}

Entries within(const Entries& entries, int64_t begin, int64_t end) {
  Entries found;
  for (const TimelineEntry& entry : entries) {
    // An entry without length is where it starts.
    const int64_t until = std::max(entry.end_ns, entry.start_ns + 1);
    if (entry.start_ns < end && until > begin) found.push_back(entry);
  }
  return found;
}

void expect_all_tiles(const Trace& trace, int last_level) {
  const AnalyzedTrace analyzed(trace);
  const Timeline timeline(analyzed, 2);
  const int64_t span = trace.last_ns - trace.first_ns;
  for (const int64_t track : all_tracks(trace)) {
    for (int level = 0; level <= last_level; ++level) {
      const Entries all = obvious_entries(timeline, TrackId(static_cast<uint32_t>(track)), level);
      const int64_t tile = int64_t{1024} << level;
      // Marks of the producer may stand before the start and behind the end.
      for (int64_t index = -2; index <= span / tile + 1; ++index) {
        ASSERT_EQ(tile_of(timeline, track, level, index), within(all, index * tile, (index + 1) * tile))
            << "track " << track << " level " << level << " tile " << index;
      }
    }
  }
}

// Rows that are long enough for levels of their own: bursts and gaps of all sizes, some without length.
std::unique_ptr<const Trace> long_random_trace(unsigned seed, int count) {
  std::mt19937_64 random(seed);
  const auto up_to_bits = [&](unsigned bits) {
    return static_cast<int64_t>(random() >> (64 - 1 - random() % bits));
  };
  TestTrace t;
  const TrackId thread = t.thread("1"), stream = t.stream(7);
  int64_t at = 1000;
  for (int i = 0; i < count; ++i) {
    const int64_t dur = random() % 4 == 0 ? 0 : up_to_bits(10);
    t.op("op " + std::to_string(random() % 10), thread, at, dur);
    if (dur > 2) t.launch(thread, at + 1, dur - 2, static_cast<uint64_t>(i));
    t.kernel("kernel", stream, at + up_to_bits(6), up_to_bits(9), static_cast<uint64_t>(i));
    at += random() % 50 == 0 ? up_to_bits(16) : (random() % 3 == 0 ? dur : up_to_bits(11));
  }
  return t.freeze();
}

TEST(TimelineLevels, TilesHoldWhatTheDefinitionSays) {
  for (unsigned seed = 0; seed < 30; ++seed) expect_all_tiles(*random_trace(seed), 14);
}

TEST(TimelineLevels, TilesOfLongRowsHoldWhatTheDefinitionSays) {
  for (unsigned seed = 0; seed < 4; ++seed) expect_all_tiles(*long_random_trace(seed, 6000), 26);
}

TEST(TimelineLevels, EverySliceIsInOneEntryOfItsRow) {
  const std::unique_ptr<const Trace> trace = long_random_trace(9, 3000);
  const AnalyzedTrace analyzed(*trace);
  const Timeline timeline(analyzed, 1);
  for (int level = 0; level < 40; ++level) {
    size_t slices = 0;
    for (const int64_t track : all_tracks(*trace)) {
      const std::vector<int64_t> tracks = {track};
      const TimelineTile everything{level, INT64_MIN, INT64_MAX};
      const Entries entries = timeline.entries(everything, tracks).value().front();
      for (size_t i = 0; i < entries.size(); ++i) {
        slices += entries[i].slices;
        const bool is_first = i == 0 || entries[i - 1].row != entries[i].row;
        EXPECT_TRUE(is_first || entries[i - 1].end_ns <= entries[i].start_ns);
        const uint32_t longest = entries[i].slice.value;
        const int64_t start = trace->slices.start_ns[longest] - trace->first_ns;
        EXPECT_LE(entries[i].start_ns, start);
        EXPECT_GE(entries[i].end_ns, start + trace->slices.dur_ns[longest]);
        EXPECT_EQ(entries[i].row, timeline.rows().row_of(entries[i].slice));
      }
    }
    EXPECT_EQ(slices, trace->slices.size()) << level;
  }
}

TEST(TimelineLevels, ATileHasAtMostTwoEntriesPerBucketAndRow) {
  TestTrace t;
  const TrackId main = t.thread("1");
  for (int i = 0; i < 200'000; ++i) t.op("a", main, 3 * i, i % 7 == 0 ? 3 : 1);
  const std::unique_ptr<const Trace> trace = t.freeze();
  const AnalyzedTrace analyzed(*trace);
  const Timeline timeline(analyzed, 2);
  for (int level = 0; level < 20; ++level) {
    EXPECT_LE(tile_of(timeline, 0, level, 0).size(), 2 * TimelineTile::kBuckets + 1u) << level;
  }
}

TEST(TimelineLevels, TheLongestStandsForThoseThatAreDrawnAsOne) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.op("first", main, 0, 2).op("long", main, 4, 3).op("also long", main, 8, 3).op("behind", main, 16, 1);
  const std::unique_ptr<const Trace> trace = t.freeze();
  const AnalyzedTrace analyzed(*trace);
  const Timeline timeline(analyzed, 1);
  EXPECT_EQ(tile_of(timeline, 0, 4, 0), (Entries{{0, 11, SliceId(1), 3, 0}, {16, 17, SliceId(3), 1, 0}}));
}

TEST(TimelineLevels, TheSameForAnyNumberOfThreads) {
  const std::unique_ptr<const Trace> trace = long_random_trace(3, 4000);
  const AnalyzedTrace analyzed(*trace);
  const Timeline one(analyzed, 1), four(analyzed, 4);
  const std::vector<int64_t> tracks = all_tracks(*trace);
  for (int level = 0; level < 30; ++level) {
    const TimelineTile tile = Timeline::tile(level, 1).value();
    EXPECT_EQ(one.entries(tile, tracks).value(), four.entries(tile, tracks).value());
  }
}

TEST(TimelineLevels, TheIndexIsSmall) {
  const std::unique_ptr<const Trace> trace = long_random_trace(1, 50'000);
  const AnalyzedTrace analyzed(*trace);
  const Timeline timeline(analyzed, 1);
  ASSERT_TRUE(timeline.prepare(all_tracks(*trace)).ok());
  EXPECT_LT(timeline.held_bytes(), trace->slices.size() * 20);
}

}  // namespace
}  // namespace skyline::analyze
