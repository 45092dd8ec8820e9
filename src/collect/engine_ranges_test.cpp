#include "collect/engine_ranges.h"

#include <gtest/gtest.h>

namespace skyline::collect {
namespace {

Record record(uint64_t start, uint64_t end, int64_t sequence, uint32_t fwd_thread) {
  Record made = {};
  made.start = start;
  made.end = end;
  made.sequence = sequence;
  made.fwd_thread = fwd_thread & 0xffffff;
  return made;
}

constexpr int64_t kNone = -1;

TEST(EngineRanges, HaveTheNumbersOfTheFunctionInside) {
  EngineRanges ranges;
  Record op = record(30, 40, kNone, 0), function = record(20, 50, 7, 3), around = record(10, 60, kNone, 0);
  ranges.pass(op, false);
  ranges.pass(function, false);
  ranges.pass(around, true);
  EXPECT_EQ(around.sequence, 7);
  EXPECT_EQ(around.fwd_thread, 3u);
}

TEST(EngineRanges, TakeNothingFromBeforeThem) {
  EngineRanges ranges;
  Record function = record(1, 5, 7, 3), around = record(10, 60, kNone, 0);
  ranges.pass(function, false);
  ranges.pass(around, true);
  EXPECT_EQ(around.sequence, kNone);
}

TEST(EngineRanges, StayWithoutNumbersWhenAHookComesFirst) {
  EngineRanges ranges;
  Record hook = record(11, 12, 9, 0), function = record(20, 50, 7, 3), around = record(10, 60, kNone, 0);
  ranges.pass(hook, false);
  ranges.pass(function, false);
  ranges.pass(around, true);
  EXPECT_EQ(around.sequence, kNone);
}

TEST(EngineRanges, OtherRangesKeepTheirOwnNumbers) {
  EngineRanges ranges;
  Record function = record(20, 50, 7, 3), around = record(10, 60, 4, 0);
  ranges.pass(function, false);
  ranges.pass(around, false);
  EXPECT_EQ(around.sequence, 4);
}

TEST(EngineRanges, GuessNothingWhenTheFirstThingIsForgotten) {
  EngineRanges ranges;
  for (uint64_t i = 0; i < 5000; ++i) {
    Record function = record(20 + i, 20 + i, 7, 3);
    ranges.pass(function, false);
  }
  Record around = record(10, 9000, kNone, 0);
  ranges.pass(around, true);
  EXPECT_EQ(around.sequence, kNone);
}

}  // namespace
}  // namespace skyline::collect
