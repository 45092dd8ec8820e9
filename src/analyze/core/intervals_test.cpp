#include "analyze/core/intervals.h"

#include <gtest/gtest.h>

#include <bitset>
#include <random>

namespace skyline::analyze {
namespace {

using Intervals = std::vector<Interval>;

Intervals list(const IntervalSet& set) { return {set.intervals().begin(), set.intervals().end()}; }

TEST(Intervals, UnsortedOverlappingIntervalsBecomeOne) {
  EXPECT_EQ(list(IntervalSet::of({{5, 9}, {1, 4}, {3, 6}})), (Intervals{{1, 9}}));
}

TEST(Intervals, TouchingIntervalsAreOneAndEmptyOnesLeaveNoTrace) {
  EXPECT_EQ(list(IntervalSet::of({{1, 2}, {2, 3}, {7, 7}, {9, 8}})), (Intervals{{1, 3}}));
}

TEST(Intervals, NestedIntervalsDoNotShortenTheOuterOne) {
  EXPECT_EQ(list(IntervalSet::of({{0, 10}, {2, 3}, {4, 5}})), (Intervals{{0, 10}}));
}

TEST(Intervals, SubtractingTheMiddleLeavesBothEnds) {
  EXPECT_EQ(list(subtract(IntervalSet::of({{0, 10}}), IntervalSet::of({{2, 3}, {5, 7}}))),
            (Intervals{{0, 2}, {3, 5}, {7, 10}}));
}

TEST(Intervals, OneHoleCutsSeveralIntervals) {
  EXPECT_EQ(list(subtract(IntervalSet::of({{0, 4}, {6, 8}, {9, 12}}), IntervalSet::of({{3, 10}}))),
            (Intervals{{0, 3}, {10, 12}}));
}

TEST(Intervals, TouchingSetsShareNothing) {
  EXPECT_TRUE(intersect(IntervalSet::of({{0, 5}}), IntervalSet::of({{5, 9}})).empty());
}

TEST(Intervals, WindowCutsIntervalsAtItsEdges) {
  const IntervalSet set = IntervalSet::of({{0, 4}, {6, 8}, {9, 12}});
  EXPECT_EQ(set.total_within(2, 10), 2 + 2 + 1);
  EXPECT_EQ(set.total_within(4, 6), 0);
  EXPECT_EQ(set.total_within(1, 2), 1);
  EXPECT_EQ(set.total_within(8, 8), 0);
}

// The obvious slow way: one bit per nanosecond.
constexpr int kMoments = 64;
using Bitmap = std::bitset<kMoments>;

Bitmap bitmap(const Intervals& intervals) {
  Bitmap bits;
  for (const Interval& interval : intervals) {
    for (int64_t t = interval.start_ns; t < interval.end_ns; ++t) bits.set(static_cast<size_t>(t));
  }
  return bits;
}

Intervals random_intervals(std::mt19937& random) {
  Intervals intervals(random() % 8);
  for (Interval& interval : intervals) {
    interval.start_ns = random() % kMoments;
    interval.end_ns = interval.start_ns + random() % std::min<int64_t>(12, kMoments - interval.start_ns + 1);
  }
  return intervals;
}

void expect_same(const IntervalSet& set, const Bitmap& bits) {
  EXPECT_EQ(bitmap(list(set)), bits);
  EXPECT_EQ(set.total_ns(), static_cast<int64_t>(bits.count()));
  for (size_t i = 1; i < set.intervals().size(); ++i) {
    EXPECT_LT(set.intervals()[i - 1].end_ns, set.intervals()[i].start_ns) << "overlap or touch";
  }
}

TEST(Intervals, EveryOperationAgreesWithBitmaps) {
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    const Intervals a = random_intervals(random), b = random_intervals(random);
    const IntervalSet set_a = IntervalSet::of(a), set_b = IntervalSet::of(b);
    const Bitmap bits_a = bitmap(a), bits_b = bitmap(b);
    expect_same(set_a, bits_a);
    expect_same(unite(set_a, set_b), bits_a | bits_b);
    expect_same(intersect(set_a, set_b), bits_a & bits_b);
    expect_same(subtract(set_a, set_b), bits_a & ~bits_b);
    const int64_t from = random() % kMoments, to = from + random() % kMoments;
    EXPECT_EQ(set_a.total_within(from, to), intersect(set_a, IntervalSet::of({{from, to}})).total_ns());
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace skyline::analyze
