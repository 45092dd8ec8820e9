#include "analyze/timeline/timeline.h"

#include <gtest/gtest.h>

#include "analyze/core/test_trace.h"

namespace skyline::analyze {
namespace {

std::vector<std::string> names(const Timeline& timeline) {
  std::vector<std::string> all;
  for (const TimelineTrack& track : timeline.tracks()) all.push_back(track.label.name);
  return all;
}

TEST(Timeline, TracksStandInTheOrderOfInterest) {
  TestTrace t;
  const TrackId spans = t.thread("Spans"), s20 = t.stream(20), s7 = t.stream(7), other_gpu = t.stream(7, 1);
  const TrackId reader = t.thread("1240"), autograd = t.thread("1235"), main = t.thread("1234"),
                none = t.thread("9");
  (void)none;
  const auto name = [&](TrackId id, std::string_view text) {
    t.draft().tracks[id.value].thread_name = t.draft().strings.intern(text);
  };
  name(autograd, "thread 1235 (pt_autograd_0)");
  name(main, "thread 1234 (python3)");
  name(reader, "thread 1240 (python3)");
  t.other(Category::kTraceSpan, "PyTorch Profiler", spans, 0, 1000);
  t.kernel("k", s20, 0, 1).kernel("k", s7, 0, 1).kernel("k", other_gpu, 0, 1);
  t.annotation("read", reader, 0, 10)
      .op("aten::mm", autograd, 10, 10)
      .step(1, main, 0, 100)
      .op("aten::mm", main, 5, 5);
  const std::unique_ptr<const Trace> trace = t.freeze();
  const AnalyzedTrace analyzed(*trace);
  const Timeline timeline(analyzed);
  EXPECT_EQ(names(timeline),
            (std::vector<std::string>{"main thread 1234", "pt_autograd_0 1235", "thread 1240",
                                      "stream 7 · GPU 0", "stream 20 · GPU 0", "stream 7 · GPU 1", "Spans"}));
  EXPECT_EQ(timeline.tracks()[0].label.kind, TrackKind::kThread);
  EXPECT_EQ(timeline.tracks()[0].rows, 2u);
  EXPECT_EQ(timeline.tracks()[0].slices, 2u);
  EXPECT_EQ(timeline.tracks()[3].label.kind, TrackKind::kStream);
  EXPECT_EQ(timeline.tracks()[6].label.kind, TrackKind::kOther);
}

TEST(Timeline, OverlappingSlicesStandOnRowsOfTheirOwn) {
  TestTrace t;
  const TrackId stream = t.stream(7);
  t.kernel("a", stream, 0, 100).kernel("b", stream, 50, 100).kernel("inside a", stream, 10, 10);
  const std::unique_ptr<const Trace> trace = t.freeze();
  const AnalyzedTrace analyzed(*trace);
  const Timeline timeline(analyzed);
  EXPECT_EQ(timeline.tracks()[0].rows, 3u);
  EXPECT_EQ(timeline.rows().row_of(SliceId(0)), 0u);
  EXPECT_EQ(timeline.rows().row_of(SliceId(1)), 1u);
  EXPECT_EQ(timeline.rows().row_of(SliceId(2)), 2u);
}

TEST(Timeline, WrongNumbersGiveASentence) {
  TestTrace t;
  t.op("a", t.thread("1"), 0, 1);
  const std::unique_ptr<const Trace> trace = t.freeze();
  const AnalyzedTrace analyzed(*trace);
  const Timeline timeline(analyzed);
  for (const int64_t level : {int64_t{-1}, int64_t{53}, INT64_MIN, INT64_MAX}) {
    EXPECT_FALSE(Timeline::tile(level, 0).ok()) << level;
  }
  EXPECT_FALSE(Timeline::tile(52, 2).ok());
  EXPECT_FALSE(Timeline::tile(0, INT64_MAX).ok());
  EXPECT_TRUE(Timeline::tile(52, -2).ok());
  const TimelineTile tile = Timeline::tile(0, 0).value();
  for (const int64_t track : {int64_t{-1}, int64_t{1}, INT64_MAX, int64_t{1} << 32}) {
    EXPECT_FALSE(timeline.entries(tile, std::vector<int64_t>{track}).ok()) << track;
    EXPECT_FALSE(timeline.find_slice(track).ok()) << track;
  }
}

TEST(Timeline, ATraceOfNothingHasNoTracks) {
  TestTrace t;
  const std::unique_ptr<const Trace> trace = t.freeze();
  EXPECT_TRUE(Timeline(AnalyzedTrace(*trace)).tracks().empty());
}

TEST(Timeline, AHundredThousandDepthsShareTheLastRow) {
  constexpr int kDepth = 100'000;
  TestTrace t;
  const TrackId main = t.thread("1");
  for (int i = 0; i < kDepth; ++i) t.op("a", main, i, 10 * kDepth - 2 * i);
  const std::unique_ptr<const Trace> trace = t.freeze();
  const AnalyzedTrace analyzed(*trace);
  const Timeline timeline(analyzed);
  EXPECT_EQ(timeline.tracks()[0].rows, TimelineRows::kMostRows);
  const std::vector<TimelineEntry> entries =
      timeline.entries(Timeline::tile(12, 0).value(), std::vector<int64_t>{0}).value().front();
  ASSERT_EQ(entries.size(), TimelineRows::kMostRows);
  EXPECT_EQ(entries.back().slices, kDepth - TimelineRows::kMostRows + 1);
}

TEST(Timeline, AMillionTracksTakeNoTime) {
  TestTrace t;
  for (int i = 0; i < 200'000; ++i) t.op("a", t.thread(std::to_string(i)), i, 10);
  const std::unique_ptr<const Trace> trace = t.freeze();
  const AnalyzedTrace analyzed(*trace);
  const Timeline timeline(analyzed);
  EXPECT_EQ(timeline.tracks().size(), Timeline::kMostTracks);
}

TEST(Timeline, AnAnswerStaysSmallWhateverIsAsked) {
  TestTrace t;
  const TrackId main = t.thread("1");
  for (int i = 0; i < 1024; ++i) {
    for (int depth = 0; depth < 8; ++depth) t.op("a", main, 64 * i + depth, 48 - 2 * depth);
  }
  const std::unique_ptr<const Trace> trace = t.freeze();
  const AnalyzedTrace analyzed(*trace);
  const Timeline timeline(analyzed);
  const std::vector<int64_t> again_and_again(200, 0);
  const auto all = timeline.entries(Timeline::tile(6, 0).value(), again_and_again).value();
  EXPECT_EQ(all.front().size(), 8u * 1024);
  size_t entries = 0;
  for (const std::vector<TimelineEntry>& each : all) {
    entries += each.size();
    size_t slices = 0;
    for (const TimelineEntry& entry : each) slices += entry.slices;
    EXPECT_EQ(slices, trace->slices.size());
  }
  EXPECT_LE(entries, 400'000u + 200 * 4096);
}

TEST(Timeline, CenturiesDoNotOverflow) {
  constexpr int64_t kLargest = (int64_t{1} << 62) - 1;
  TestTrace t;
  const TrackId main = t.thread("1");
  for (const int64_t start : {-kLargest, int64_t{0}, kLargest}) {
    for (uint64_t i = 0; i < 3; ++i) {
      t.op("a", main, start, kLargest - static_cast<int64_t>(i))
          .op("b", main, start, 0)
          .launch(main, start, 5, i);
      t.activity(Category::kMemcpy, "Memcpy HtoD", t.stream(7), -start, kLargest, i)
          .memory(main, start, kLargest, 1);
      t.draft().activities.bytes.back() = kLargest;
    }
  }
  const std::unique_ptr<const Trace> trace = t.freeze();
  const AnalyzedTrace analyzed(*trace);
  const Timeline timeline(analyzed);
  EXPECT_EQ(timeline.counters().size(), 2u);
  for (int64_t slice = 0; slice < static_cast<int64_t>(trace->slices.size()); ++slice) {
    EXPECT_TRUE(timeline.about(slice).ok());
  }
  for (int64_t level = 0; level <= TimelineTile::kLastLevel; ++level) {
    for (const int64_t index :
         {INT64_MIN >> (level + 10), int64_t{-1}, int64_t{0}, INT64_MAX >> (level + 10)}) {
      EXPECT_TRUE(timeline.points(Timeline::tile(level, index).value(), 0).ok());
      EXPECT_TRUE(timeline.entries(Timeline::tile(level, index).value(), std::vector<int64_t>{0}).ok());
      EXPECT_TRUE(timeline.range(index, INT64_MAX, std::vector<int64_t>{0}, 10).ok());
    }
  }
}

}  // namespace
}  // namespace skyline::analyze
