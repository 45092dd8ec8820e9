#include "analyze/timeline/counters.h"

#include <gtest/gtest.h>

#include <random>

#include "analyze/analyze.h"
#include "analyze/core/test_trace.h"

namespace skyline::analyze {
namespace {

using Points = std::vector<CounterPoint>;

const TimelineCounter* find(const std::vector<TimelineCounter>& counters, std::string_view name) {
  for (const TimelineCounter& counter : counters) {
    if (counter.name == name) return &counter;
  }
  return nullptr;
}

std::vector<std::pair<int64_t, double>> samples(const TimelineCounter* counter) {
  std::vector<std::pair<int64_t, double>> all;
  if (counter == nullptr) return all;
  for (const CounterSample& sample : counter->levels.samples())
    all.emplace_back(sample.time_ns, sample.value);
  return all;
}

using Expected = std::vector<std::pair<int64_t, double>>;

TEST(TimelineCounters, MemoryIsTheAllocatorsOwnTotalWhereItIsSaid) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.op("a", main, 100, 900);
  t.memory(main, 200, 10, 0).memory(main, 300, -10, 0);
  t.memory(main, 250, 64, 1);
  t.draft().memory.device_id.back() = 0;
  t.draft().memory.total_allocated.back() = 1064;
  t.draft().memory.total_reserved.back() = 4096;
  const auto trace = t.freeze();
  const auto counters = timeline_counters(AnalyzedTrace(*trace), 2);
  ASSERT_EQ(counters.size(), 3u);
  EXPECT_EQ(samples(find(counters, "memory allocated · cpu")), (Expected{{100, 10}, {200, 0}}));
  EXPECT_EQ(samples(find(counters, "memory allocated · cuda:0")), (Expected{{150, 1064}}));
  EXPECT_EQ(samples(find(counters, "memory reserved · cuda:0")), (Expected{{150, 4096}}));
  EXPECT_EQ(counters[0].unit, Unit::kBytes);
  EXPECT_EQ(counters[0].high, 10);
  EXPECT_FALSE(counters[0].definition.empty());
}

TEST(TimelineCounters, BlocksOlderThanTheRecordingAreMemoryUntilTheirRelease) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.op("a", main, 0, 900);
  t.memory(main, 10, 5, 0).memory(main, 20, -100, 0).memory(main, 30, -5, 0);
  const auto trace = t.freeze();
  EXPECT_EQ(samples(find(timeline_counters(AnalyzedTrace(*trace), 1), "memory allocated · cpu")),
            (Expected{{10, 105}, {20, 5}, {30, 0}}));
}

TEST(TimelineCounters, WorkIsQueuedFromItsLaunchToItsStart) {
  TestTrace t;
  const TrackId main = t.thread("1"), stream = t.stream(7);
  t.launch(main, 0, 5, 1).kernel("a", stream, 10, 100, 1);
  t.launch(main, 20, 5, 2).kernel("b", stream, 110, 10, 2);
  t.launch(main, 30, 5, 3).kernel("c", stream, 120, 10, 3);
  t.kernel("launched before the recording", stream, 130, 10, 4);
  const auto trace = t.freeze();
  const auto counters = timeline_counters(AnalyzedTrace(*trace), 1);
  EXPECT_EQ(samples(find(counters, "queue depth · GPU 0")),
            (Expected{{0, 1}, {10, 0}, {20, 1}, {30, 2}, {110, 1}, {120, 0}}));
  EXPECT_EQ(counters.size(), 1u);
}

TEST(TimelineCounters, DevicesWithSeveralStreamsHaveAQueueForEachAndOneForAll) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.launch(main, 0, 5, 1).kernel("a", t.stream(7), 10, 10, 1);
  t.launch(main, 5, 5, 2).kernel("b", t.stream(8), 15, 10, 2);
  const auto trace = t.freeze();
  const auto counters = timeline_counters(AnalyzedTrace(*trace), 1);
  EXPECT_EQ(samples(find(counters, "queue depth · GPU 0")), (Expected{{0, 1}, {5, 2}, {10, 1}, {15, 0}}));
  EXPECT_EQ(samples(find(counters, "queue of stream 7 · GPU 0")), (Expected{{0, 1}, {10, 0}}));
  EXPECT_EQ(samples(find(counters, "queue of stream 8 · GPU 0")), (Expected{{5, 1}, {15, 0}}));
}

TEST(TimelineCounters, CopiesThatRunAtOnceAddUp) {
  TestTrace t;
  const auto copy = [&](std::string_view name, int64_t stream, int64_t start, int64_t dur, int64_t bytes) {
    t.activity(Category::kMemcpy, name, t.stream(stream), start, dur);
    t.draft().activities.bytes.back() = bytes;
  };
  copy("Memcpy HtoD (Pageable -> Device)", 7, 0, 100, 1000);
  copy("Memcpy HtoD (Pinned -> Device)", 8, 50, 100, 2000);
  copy("Memcpy DtoH (Device -> Pageable)", 7, 200, 0, 2000);
  copy("Memcpy DtoH (Device -> Pageable)", 7, 200, 10, -1);
  const auto trace = t.freeze();
  const auto counters = timeline_counters(AnalyzedTrace(*trace), 1);
  EXPECT_EQ(samples(find(counters, "copies host to device")),
            (Expected{{0, 10e9}, {50, 30e9}, {100, 20e9}, {150, 0}}));
  EXPECT_EQ(counters.size(), 1u);
}

TEST(TimelineCounters, TheFilesOwnCountersAreOneEach) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.op("a", main, 0, 100);
  const auto count = [&](int64_t time, std::string_view name, std::string_view key, double value) {
    CounterTable& counters = t.draft().counters;
    counters.time_ns.push_back(time);
    counters.track.push_back(main);
    counters.name.push_back(t.draft().strings.intern(name));
    counters.key.push_back(t.draft().strings.intern(key));
    counters.value.push_back(value);
  };
  count(30, "power", "watts", 250.5);
  count(10, "power", "watts", 200);
  count(10, "power", "limit", 300);
  const auto trace = t.freeze();
  const auto counters = timeline_counters(AnalyzedTrace(*trace), 1);
  EXPECT_EQ(samples(find(counters, "power · watts")), (Expected{{10, 200}, {30, 250.5}}));
  EXPECT_EQ(samples(find(counters, "power · limit")), (Expected{{10, 300}}));
}

TEST(TimelineCounters, TilesHoldTheExtremesOfTheirBucketsAndThePointBefore) {
  std::mt19937_64 random(1);
  std::vector<CounterSample> all;
  int64_t time = -500;
  for (int i = 0; i < 20'000; ++i) {
    all.push_back({time, static_cast<double>(random() % 1000)});
    time += static_cast<int64_t>(random() % 40 == 0 ? random() % 10'000 : random() % 30);
  }
  const CounterLevels levels(all);
  for (int level = 0; level < 24; ++level) {
    Points points;  // of all buckets
    for (const CounterSample& sample : all) {
      if (points.empty() || points.back().time_ns >> level != sample.time_ns >> level) {
        points.push_back({sample.time_ns, sample.value, sample.value, sample.value});
      }
      points.back().low = std::min(points.back().low, sample.value);
      points.back().high = std::max(points.back().high, sample.value);
      points.back().last = sample.value;
    }
    const int64_t tile_ns = int64_t{1024} << level;
    for (int64_t index = -1; index <= time / tile_ns + 1; ++index) {
      Points expected;
      for (const CounterPoint& point : points) {
        if (point.time_ns >= (index + 1) * tile_ns) break;
        if (point.time_ns < index * tile_ns) expected.clear();
        expected.push_back(point);
      }
      ASSERT_EQ(levels.tile({level, index * tile_ns, (index + 1) * tile_ns}), expected)
          << level << " " << index;
    }
  }
}

}  // namespace
}  // namespace skyline::analyze
