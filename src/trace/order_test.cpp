#include "trace/order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "trace/sparse_rows.h"
#include "trace/test_draft.h"

namespace skyline {
namespace {

// The file numbers of the slices, in their new order.
std::vector<uint32_t> order_of(const Trace& trace) {
  return {trace.slices.source_place.begin(), trace.slices.source_place.end()};
}

TEST(OrderSlices, TracksStandTogetherByFirstAppearance) {
  TestDraft t;
  const TrackId b = t.track("1", "b"), a = t.track("1", "a");
  t.op("x", a, 5, 1);
  t.op("y", b, 9, 1);
  t.op("z", a, 1, 1);
  order_slices(t.draft(), 1);
  EXPECT_EQ(order_of(t.draft()), (std::vector<uint32_t>{1, 2, 0}));
  const std::vector<Track>& tracks = t.draft().tracks;
  EXPECT_EQ(tracks[b.value].first_slice, SliceId(0));
  EXPECT_EQ(tracks[b.value].slice_count, 1u);
  EXPECT_EQ(tracks[a.value].first_slice, SliceId(1));
  EXPECT_EQ(tracks[a.value].slice_count, 2u);
}

TEST(OrderSlices, OfSlicesThatStartTogetherTheLongerComesFirst) {
  TestDraft t;
  const TrackId main = t.track("1", "1");
  t.op("short", main, 5, 1);
  t.op("long", main, 5, 10);
  t.op("empty", main, 5, 0);
  order_slices(t.draft(), 1);
  EXPECT_EQ(order_of(t.draft()), (std::vector<uint32_t>{1, 0, 2}));
}

TEST(OrderSlices, OfEqualIntervalsTheOuterCategoryComesFirst) {
  TestDraft t;
  const TrackId main = t.track("1", "1");
  t.launch(main, 5, 10, 1);
  t.op("op", main, 5, 10);
  t.python("frame", main, 5, 10);
  t.annotation("range", main, 5, 10);
  order_slices(t.draft(), 1);
  EXPECT_EQ(order_of(t.draft()), (std::vector<uint32_t>{3, 2, 1, 0}));
}

TEST(OrderSlices, OfEqualOpsTheSmallerExternalIdIsTheParent) {
  TestDraft t;
  const TrackId main = t.track("1", "1");
  t.op("child", main, 5, 10, 12);
  t.op("parent", main, 5, 10, 11);
  t.op("no id comes first", main, 5, 10, 0);
  order_slices(t.draft(), 1);
  EXPECT_EQ(order_of(t.draft()), (std::vector<uint32_t>{2, 1, 0}));
}

TEST(OrderSlices, OtherwiseTheFilesOrderStays) {
  TestDraft t;
  const TrackId stream = t.track("0", "7");
  for (int i = 0; i < 10; ++i) t.kernel(stream, 5, 10, kNoCorrelation);
  order_slices(t.draft(), 1);
  std::vector<uint32_t> expected(10);
  std::iota(expected.begin(), expected.end(), 0u);
  EXPECT_EQ(order_of(t.draft()), expected);
}

TEST(OrderSlices, EveryTableFollowsItsSlices) {
  TestDraft t;
  const TrackId main = t.track("1", "1"), stream = t.track("0", "7");
  t.kernel(stream, 90, 1, 33);
  t.launch(main, 60, 1, 33, 5);
  t.op("late", main, 50, 20, 5);
  t.python("late frame", main, 45, 30);
  t.kernel(stream, 20, 1, 22);
  t.launch(main, 15, 1, 22, 4);
  t.op("early", main, 10, 20, 4);
  t.python("early frame", main, 5, 30);
  t.draft().activities.collective[0] = CollectiveId(0);
  CollectiveTable& collectives = t.draft().collectives;
  collectives.add({.slice = t.draft().activities.slice[0]});
  order_slices(t.draft(), 2);

  const Trace& trace = t.draft();
  EXPECT_EQ(trace.ops.external_id[0], 4u);
  EXPECT_EQ(trace.ops.external_id[1], 5u);
  EXPECT_EQ(trace.launches.correlation[0], 22u);
  EXPECT_EQ(trace.launches.correlation[1], 33u);
  EXPECT_EQ(trace.activities.correlation[0], 22u);
  EXPECT_EQ(trace.activities.correlation[1], 33u);
  EXPECT_EQ(trace.pythons.python_id[0], 2);
  EXPECT_FALSE(trace.activities.collective[0].exists());
  EXPECT_EQ(trace.activities.collective[1], CollectiveId(0));
  EXPECT_EQ(collectives.slice[0], trace.activities.slice[1]);

  const auto round_trip = [&](const Column<SliceId>& owner) {
    for (uint32_t row = 0; row < owner.size(); ++row) EXPECT_EQ(trace.slices.detail[owner[row].value], row);
  };
  round_trip(trace.ops.slice);
  round_trip(trace.pythons.slice);
  round_trip(trace.launches.slice);
  round_trip(trace.activities.slice);
}

TEST(OrderSlices, ManyRunsGiveWhatAStableSortGives) {
  std::mt19937 random(7);
  for (int round = 0; round < 30; ++round) {
    TestDraft t;
    std::vector<uint32_t> expected;
    const size_t count = random() % 400;
    for (size_t i = 0; i < count; ++i) {
      const TrackId track = t.track("1", std::to_string(random() % 3));
      t.op("op", track, static_cast<int64_t>(random() % 50), static_cast<int64_t>(random() % 5),
           random() % 3);
      expected.push_back(static_cast<uint32_t>(i));
    }
    const auto key = [&](uint32_t i) {
      const Trace& draft = t.draft();
      return std::make_tuple(draft.slices.track[i], draft.slices.start_ns[i], -draft.slices.dur_ns[i],
                             draft.ops.external_id[i]);
    };
    std::stable_sort(expected.begin(), expected.end(),
                     [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
    order_slices(t.draft(), 2);
    ASSERT_EQ(order_of(t.draft()), expected);
  }
}

TEST(OrderSlices, TheExtentLeavesTheProducersOwnMarksOut) {
  TestDraft t;
  const TrackId main = t.track("1", "1");
  t.slice(Category::kTraceSpan, "PyTorch Profiler (0)", main, -500, 10000);
  t.slice(Category::kOverhead, "Buffer Flush", main, 0, 5000);
  t.op("op", main, 100, 50);
  t.kernel(t.track("0", "7"), 120, 300, kNoCorrelation);
  order_slices(t.draft(), 1);
  EXPECT_EQ(t.draft().first_ns, 100);
  EXPECT_EQ(t.draft().last_ns, 420);
}

TEST(OrderSlices, NoSlicesHaveNoExtent) {
  TestDraft t;
  t.track("1", "1");
  order_slices(t.draft(), 2);
  EXPECT_EQ(t.draft().first_ns, 0);
  EXPECT_EQ(t.draft().last_ns, 0);
  EXPECT_FALSE(t.draft().info.whole_microseconds);
}

TEST(OrderSlices, TheClockHasWholeMicrosecondsOnlyIfNoTimeHasAFraction) {
  for (const auto& [start, dur, whole] :
       {std::tuple{-3000, 2000, true}, {1001, 2000, false}, {1000, 2, false}}) {
    TestDraft t;
    t.op("whole", t.track("1", "1"), 5000, 1000);
    t.op("op", t.track("1", "1"), start, dur);
    order_slices(t.draft(), 1);
    EXPECT_EQ(t.draft().info.whole_microseconds, whole) << start << " " << dur;
  }
}

TEST(OrderSlices, ATrackWithWorkOnItIsAStream) {
  TestDraft t;
  const TrackId main = t.track("1", "1"), stream = t.track("0", "7");
  t.kernel(stream, 0, 1, 1);
  t.kernel(stream, 2, 1, 2, Category::kMemcpy);
  t.slice(Category::kSync, "Stream Sync", stream, 5, 1);
  t.launch(main, 0, 1, 1);
  order_slices(t.draft(), 1);
  EXPECT_EQ(t.draft().tracks[stream.value].activity_count, 2u);
  EXPECT_TRUE(t.draft().tracks[stream.value].is_stream());
  EXPECT_FALSE(t.draft().tracks[main.value].is_stream());
}

TEST(OrderSlices, SlicesThatLostTheirTimeDoNotStretchTheExtent) {
  TestDraft t;
  const TrackId main = t.track("1", "1");
  t.op("lost", main, 0, 0);
  t.op("kept", main, 5000, 70);
  order_slices(t.draft(), 1);
  EXPECT_EQ(t.draft().first_ns, 5000);
  EXPECT_EQ(t.draft().last_ns, 5070);
}

TEST(OrderSlices, RowsAboutAFewSlicesAreFoundByThem) {
  TestDraft t;
  const TrackId stream = t.track("0", "7"), thread = t.track("1", "1");
  const SliceId late = t.sync(stream, 90, 1, 2), early = t.sync(stream, 10, 1, 1);
  const SliceId op = t.op("triton_0", thread, 0, 5);
  t.draft().compiled_calls.add({.slice = op, .num_warps = 4});
  const Trace& trace = t.freeze();
  EXPECT_EQ(trace.syncs.correlation[row_about(trace.syncs, t.at(early))], 1u);
  EXPECT_EQ(trace.syncs.correlation[row_about(trace.syncs, t.at(late))], 2u);
  EXPECT_EQ(trace.compiled_calls.num_warps[row_about(trace.compiled_calls, t.at(op))], 4);
  EXPECT_EQ(row_about(trace.syncs, t.at(op)), kNoRow);
}

}  // namespace
}  // namespace skyline
