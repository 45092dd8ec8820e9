// Memory over time.
#include "analyze/memory/curve.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "analyze/analyze.h"
#include "analyze/core/test_random_trace.h"
#include "analyze/memory/test_memory_trace.h"

namespace skyline::analyze {
namespace {

// "10:0..4" per point, with reserved bytes behind a slash.
std::string text_of(const MemoryCurve& curve) {
  std::string text;
  for (size_t i = 0; i < curve.time_ns.size(); ++i) {
    text += fmt::format("{}{}:{}..{}", i == 0 ? "" : " ", curve.time_ns[i], curve.low_bytes[i],
                        curve.high_bytes[i]);
    if (!curve.reserved_bytes.empty()) text += fmt::format("/{}", curve.reserved_bytes[i]);
  }
  return text;
}

struct Stairs : MemoryTestTrace {
  TrackId main = thread("1");
  Stairs() {
    op("aten::a", main, 0, 100);
    allocate(main, 10, 0x10, 4).allocate(main, 20, 0x20, 8).release(main, 20, 0x10, 4);
    allocate(main, 60, 0x30, 2).release(main, 90, 0x20, 8);
  }
};

TEST(MemoryCurve, FewEventsAreToldOneByOne) {
  Stairs t;
  const MemoryCurves curves{AnalyzedTrace(*t.freeze())};
  EXPECT_EQ(text_of(curves.curve(0, 0, 101, 6)), "0:0..0 10:4..4 20:12..12 20:8..8 60:10..10 90:2..2");
  EXPECT_EQ(text_of(curves.curve(0, 60, 90, 6)), "60:10..10");
  EXPECT_EQ(text_of(curves.curve(0, 61, 200, 6)), "61:10..10 90:2..2");
  EXPECT_EQ(curves.devices()[0].peak_bytes, 12);
  EXPECT_EQ(curves.devices()[0].peak_ns, 20);
}

TEST(MemoryCurve, ManyEventsAreToldByTheirExtremes) {
  Stairs t;
  const MemoryCurves curves{AnalyzedTrace(*t.freeze())};
  EXPECT_EQ(text_of(curves.curve(0, 0, 100, 5)), "0:0..4 20:4..12 40:8..8 60:8..10 80:2..10");
  EXPECT_EQ(text_of(curves.curve(0, 0, 100, 1)), "0:0..12");
}

TEST(MemoryCurve, DevicesStandByTheirPeaksAndReservedBytesWhereTheyAreRecorded) {
  Stairs t;
  t.allocate(t.main, 30, 0x90, 100, 1);
  t.draft().memory.total_reserved.back() = 512;
  t.allocate(t.main, 40, 0xa0, 100, 1);
  t.draft().memory.total_reserved.back() = 1024;
  const MemoryCurves curves{AnalyzedTrace(*t.freeze())};
  ASSERT_EQ(curves.devices().size(), 2u);
  EXPECT_EQ(name_of(curves.devices()[0].device), "cuda");
  EXPECT_EQ(text_of(curves.curve(0, 0, 100, 9)), "0:0..0/512 30:100..100/512 40:200..200/1024");
}

// ---- What holds in any trace. ----------------------------------------------------------------

TEST(MemoryCurveLaws, TheHighestPointIsTheRecordingsPeakHoweverManyPointsThereAre) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const std::unique_ptr<const Trace> trace = random_trace(seed);
    const MemoryCurves curves{AnalyzedTrace(*trace)};
    const std::vector<MemoryAtPeak> peaks = memory_at_peak(AnalyzedTrace(*trace));
    ASSERT_EQ(curves.devices().size(), peaks.size());
    for (size_t device = 0; device < peaks.size(); ++device) {
      for (const size_t points : {1, 2, 7, 30, 1000}) {
        const MemoryCurve curve = curves.curve(device, 0, 2000, points);
        EXPECT_LE(curve.time_ns.size(), points);
        EXPECT_EQ(*std::max_element(curve.high_bytes.begin(), curve.high_bytes.end()),
                  peaks[device].recording.bytes);
      }
      EXPECT_EQ(curves.devices()[device].peak_ns, peaks[device].recording.time_ns);
    }
  }
}

TEST(MemoryCurveLaws, EveryPointHasTheExtremesOfItsStretch) {
  int told = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const std::unique_ptr<const Trace> trace = random_trace(seed);
    const MemoryCurves curves{AnalyzedTrace(*trace)};
    const MemoryCurves::DeviceCurve& stair = curves.devices()[0];
    const int64_t start = seed * 3, end = start + 200 + seed;
    const MemoryCurve curve = curves.curve(0, start, end, 5);
    const auto inside = std::count_if(stair.time_ns.begin(), stair.time_ns.end(),
                                      [&](int64_t time) { return time > start && time < end; });
    if (inside < 5) continue;  // told one by one
    ++told;
    for (size_t i = 0; i < 5; ++i) {
      const int64_t from = curve.time_ns[i], to = i == 4 ? end : curve.time_ns[i + 1];
      int64_t at_start = 0, low = INT64_MAX, high = INT64_MIN;
      for (size_t event = 0; event < stair.time_ns.size(); ++event) {
        if (stair.time_ns[event] < from || (i == 0 && stair.time_ns[event] == from))
          at_start = stair.bytes[event];
        if (stair.time_ns[event] < from || stair.time_ns[event] >= to) continue;
        if (i == 0 && stair.time_ns[event] == from) continue;
        low = std::min(low, stair.bytes[event]);
        high = std::max(high, stair.bytes[event]);
      }
      EXPECT_EQ(curve.low_bytes[i], std::min(low, at_start));
      EXPECT_EQ(curve.high_bytes[i], std::max(high, at_start));
    }
  }
  EXPECT_GT(told, 100);
}

}  // namespace
}  // namespace skyline::analyze
