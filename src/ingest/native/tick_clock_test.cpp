#include "ingest/native/tick_clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace skyline::ingest::native {
namespace {

TEST(TickClock, TimeRunsEvenlyBetweenTwoPoints) {
  const TickClock clock({{100, 5000}, {200, 5300}});
  EXPECT_EQ(clock.unix_ns(100), 5000);
  EXPECT_EQ(clock.unix_ns(150), 5150);
  EXPECT_EQ(clock.unix_ns(200), 5300);
}

TEST(TickClock, EveryStretchHasItsOwnPace) {
  const TickClock clock({{0, 0}, {100, 100}, {200, 400}});
  EXPECT_EQ(clock.unix_ns(99), 99);
  EXPECT_EQ(clock.unix_ns(100), 100);
  EXPECT_EQ(clock.unix_ns(101), 103);
}

TEST(TickClock, BeforeAndBehindThePointsTheNearestPaceGoesOn) {
  const TickClock clock({{100, 1000}, {200, 1100}, {300, 1300}});
  EXPECT_EQ(clock.unix_ns(50), 950);
  EXPECT_EQ(clock.unix_ns(400), 1500);
}

TEST(TickClock, FractionsAreCutTowardsThePast) {
  const TickClock clock({{100, 1000}, {103, 1001}});
  EXPECT_EQ(clock.unix_ns(102), 1000);
  EXPECT_EQ(clock.unix_ns(99), 999);
}

TEST(TickClock, OnePointTakesThePaceItIsTold) {
  const TickClock clock({{1000, 70}}, 2'000'000'000);
  EXPECT_EQ(clock.unix_ns(3000), 1070);
  EXPECT_EQ(clock.unix_ns(0), -430);
}

TEST(TickClock, WithoutPointsTicksAreNanoseconds) { EXPECT_EQ(TickClock().unix_ns(12345), 12345); }

TEST(TickClock, PointsMayComeInAnyOrderAndTwice) {
  const TickClock clock({{200, 5300}, {100, 5000}, {200, 5300}});
  EXPECT_EQ(clock.unix_ns(150), 5150);
}

TEST(TickClock, WhenUnixTimeIsSetBackTheClockStillRunsOn) {
  const TickClock clock({{100, 5000}, {200, 4000}, {300, 5200}});
  EXPECT_EQ(clock.unix_ns(200), 5100);
}

TEST(TickClock, TheLaterTickIsNeverEarlier) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<TickClock::Point> points;
    for (int i = 0; i < 5; ++i)
      points.push_back({random() >> (random() % 60), static_cast<int64_t>(random() >> (1 + random() % 60))});
    const TickClock clock(points);
    std::vector<uint64_t> ticks;
    for (int i = 0; i < 100; ++i) ticks.push_back(random() >> (random() % 60));
    std::sort(ticks.begin(), ticks.end());
    int64_t last = INT64_MIN;
    size_t hint = random() % 5;
    for (const uint64_t tick : ticks) {
      EXPECT_LE(last, clock.unix_ns(tick, hint));
      last = clock.unix_ns(tick);
    }
  }
}

}  // namespace
}  // namespace skyline::ingest::native
