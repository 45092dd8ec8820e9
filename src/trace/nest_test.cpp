#include "trace/nest.h"

#include <gtest/gtest.h>

#include <random>

#include "trace/test_draft.h"

namespace skyline {
namespace {

TEST(NestSlices, TheInnermostEnclosingSliceIsTheParent) {
  TestDraft t;
  const TrackId main = t.track("1", "1");
  const SliceId outer = t.op("outer", main, 0, 101), inner = t.op("inner", main, 10, 50);
  const SliceId first = t.op("first", main, 20, 10), second = t.op("second", main, 70, 10);
  t.freeze();
  EXPECT_EQ(t.parent(outer), SliceId());
  EXPECT_EQ(t.parent(inner), outer);
  EXPECT_EQ(t.parent(first), inner);
  EXPECT_EQ(t.parent(second), outer);
  EXPECT_EQ(t.depth(first), 2);
  EXPECT_EQ(t.depth(second), 1);
}

TEST(NestSlices, SlicesThatTouchAreNeighbours) {
  TestDraft t;
  const TrackId main = t.track("1", "1");
  t.op("one", main, 0, 11);
  const SliceId two = t.op("two", main, 11, 10);
  t.freeze();
  EXPECT_EQ(t.parent(two), SliceId());
  EXPECT_EQ(t.lane(two), 0);
}

TEST(NestSlices, TracksDoNotNestInEachOther) {
  TestDraft t;
  t.op("one", t.track("1", "1"), 0, 101);
  const SliceId two = t.op("two", t.track("1", "2"), 10, 10);
  const SliceId three = t.op("three", t.track("2", "1"), 10, 10);
  t.freeze();
  EXPECT_EQ(t.parent(two), SliceId());
  EXPECT_EQ(t.parent(three), SliceId());
}

TEST(NestSlices, AChildMayStickOutByOneNanosecondOnAFineClock) {
  for (const auto& [sticks_out, fits] : {std::pair{0, true}, {1, true}, {2, false}}) {
    TestDraft t;
    const TrackId main = t.track("1", "1");
    const SliceId outer = t.op("outer", main, 0, 101), inner = t.op("inner", main, 50, 51 + sticks_out);
    t.freeze();
    EXPECT_EQ(t.parent(inner), fits ? outer : SliceId()) << sticks_out;
    EXPECT_EQ(t.lane(inner), fits ? 0 : 1) << sticks_out;
  }
}

TEST(NestSlices, AChildMayStickOutByOneMicrosecondWhereTheClockHasNoFinerTick) {
  for (const auto& [sticks_out, fits] : {std::pair{0, true}, {1000, true}, {2000, false}}) {
    TestDraft t;
    const TrackId main = t.track("1", "1");
    const SliceId outer = t.op("outer", main, 0, 10000), inner = t.op("inner", main, 5000, 5000 + sticks_out);
    t.freeze();
    EXPECT_EQ(t.parent(inner), fits ? outer : SliceId()) << sticks_out;
  }
}

TEST(NestSlices, PartlyOverlappingSlicesStayWholeInAnExtraLane) {
  TestDraft t;
  const TrackId stream = t.track("0", "7");
  const SliceId a = t.kernel(stream, 0, 101, 1), b = t.kernel(stream, 50, 100, 2),
                c = t.kernel(stream, 60, 20, 3);
  const SliceId d = t.kernel(stream, 140, 100, 4);
  const Trace& trace = t.freeze();
  EXPECT_EQ(t.lane(a), 0);
  EXPECT_EQ(t.lane(b), 1);
  EXPECT_EQ(t.parent(b), SliceId());
  EXPECT_EQ(t.lane(c), 0);  // the first lane where it fits
  EXPECT_EQ(t.parent(c), a);
  EXPECT_EQ(t.lane(d), 0);
  EXPECT_EQ(trace.tracks[stream.value].lanes, 2);
  EXPECT_EQ(trace.slices.dur_ns[t.at(b).value], 100);
}

TEST(NestSlices, AnEmptySliceLiesInWhatIsOpenAndEnclosesNothing) {
  TestDraft t;
  const TrackId main = t.track("1", "1");
  const SliceId outer = t.op("outer", main, 0, 101), empty = t.op("empty", main, 50, 0);
  const SliceId after = t.launch(main, 51, 10, 1), at_end = t.op("at end", main, 101, 0);
  t.freeze();
  EXPECT_EQ(t.parent(empty), outer);
  EXPECT_EQ(t.parent(after), outer);
  EXPECT_EQ(t.parent(at_end), SliceId());
}

TEST(NestSlices, OfEqualIntervalsTheFirstEnclosesTheSecond) {
  TestDraft t;
  const TrackId main = t.track("1", "1");
  const SliceId op = t.op("op", main, 5, 11), call = t.launch(main, 5, 11, 1);
  const SliceId frame = t.python("frame", main, 5, 11);
  t.freeze();
  EXPECT_EQ(t.parent(call), op);
  EXPECT_EQ(t.parent(op), frame);
}

TEST(NestSlices, DepthStopsCountingWhereItsColumnEnds) {
  TestDraft t;
  const TrackId main = t.track("1", "1");
  constexpr int kDepth = 70000;
  std::vector<SliceId> slices;
  for (int i = 0; i < kDepth; ++i) slices.push_back(t.python("frame", main, i, 2 * kDepth + 1 - 2 * i));
  t.freeze();
  EXPECT_EQ(t.depth(slices[65535]), 65535);
  EXPECT_EQ(t.depth(slices[65536]), 65535);
  EXPECT_EQ(t.depth(slices.back()), 65535);
  EXPECT_EQ(t.parent(slices.back()), slices[kDepth - 2]);
}

// What every tree of slices must keep, whatever the file: figures of self time rest on it.
void expect_sound(const Trace& trace, int64_t tolerance_ns) {
  const SliceTable& slices = trace.slices;
  for (uint32_t s = 0; s < slices.size(); ++s) {
    const SliceId parent = slices.parent[s];
    if (!parent.exists()) continue;
    ASSERT_LT(parent.value, s);
    ASSERT_EQ(slices.track[parent.value], slices.track[s]);
    ASSERT_EQ(slices.lane[parent.value], slices.lane[s]);
    ASSERT_LE(slices.start_ns[parent.value], slices.start_ns[s]);
    ASSERT_LE(slices.end_ns(SliceId(s)), slices.end_ns(parent) + tolerance_ns);
    ASSERT_LT(slices.lane[s], trace.tracks[slices.track[s].value].lanes);
  }
}

TEST(NestSlices, ParentsEncloseTheirChildrenInAnyTangle) {
  std::mt19937 random(11);
  for (int round = 0; round < 40; ++round) {
    TestDraft t;
    for (uint64_t i = 0, count = random() % 300; i < count; ++i) {
      const TrackId track = t.track("1", std::to_string(random() % 2));
      t.kernel(track, static_cast<int64_t>(random() % 100), static_cast<int64_t>(random() % 100),
               kNoCorrelation);
    }
    expect_sound(t.freeze(static_cast<unsigned>(1 + random() % 3)), 1);
  }
}

TEST(NestSlices, PastTheLastLaneSlicesStillLieOnlyInWhatEnclosesThem) {
  TestDraft t;
  const TrackId stream = t.track("0", "7");
  // A staircase: each overlaps all before it.
  for (int i = 0; i < 1000; ++i) t.kernel(stream, i * 3, 100000, kNoCorrelation);
  const SliceId inside = t.kernel(stream, 3100, 7, kNoCorrelation);
  const Trace& trace = t.freeze();
  EXPECT_LE(trace.tracks[stream.value].lanes, 256);
  EXPECT_EQ(trace.slices.size(), 1001u);
  EXPECT_EQ(t.lane(inside), 0);
  expect_sound(trace, 1);
}

TEST(NestSlices, AnyNumberOfThreadsGivesTheSameTree) {
  const auto nested = [](unsigned threads) {
    std::mt19937 random(3);
    TestDraft t;
    for (int i = 0; i < 2000; ++i) {
      const TrackId track = t.track("1", std::to_string(random() % 20));
      t.op("op", track, static_cast<int64_t>(random() % 1000), static_cast<int64_t>(random() % 200));
    }
    const Trace& trace = t.freeze(threads);
    std::vector<uint32_t> tree;
    for (uint32_t s = 0; s < trace.slices.size(); ++s) {
      tree.insert(tree.end(), {trace.slices.parent[s].value, trace.slices.lane[s], trace.slices.depth[s]});
    }
    return tree;
  };
  EXPECT_EQ(nested(1), nested(2));
  EXPECT_EQ(nested(1), nested(8));
}

}  // namespace
}  // namespace skyline
