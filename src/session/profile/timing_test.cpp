#include "session/profile/timing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace skyline::session {
namespace {

TEST(TimingTest, MedianAndQuartiles) {
  const std::vector<int64_t> durations = {50, 10, 40, 20, 30};
  const IterationTime time = summarize(durations);
  EXPECT_EQ(time.median_ns, 30);
  EXPECT_EQ(time.quarter_ns, 20);
  EXPECT_EQ(time.three_quarters_ns, 40);
  EXPECT_EQ(time.count, 5u);
  EXPECT_EQ(summarize(std::vector<int64_t>{10, 21}).median_ns, 15);
}

// Known ranks of the sign test's interval: n = 6 → whole range, 10 → 2nd and 9th, 100 → 40th and 61st.
TEST(TimingTest, IntervalOfTheMedianIsThatOfTheSignTest) {
  const auto ends = [](int64_t n) {
    std::vector<int64_t> durations;
    for (int64_t i = 1; i <= n; ++i) durations.push_back(i);
    const IterationTime time = summarize(durations);
    return std::pair(time.low_ns, time.high_ns);
  };
  EXPECT_EQ(ends(3), std::pair(int64_t{1}, int64_t{3}));
  EXPECT_EQ(ends(6), std::pair(int64_t{1}, int64_t{6}));
  EXPECT_EQ(ends(10), std::pair(int64_t{2}, int64_t{9}));
  EXPECT_EQ(ends(100), std::pair(int64_t{40}, int64_t{61}));
}

TEST(TimingTest, IntervalHoldsTheTrueMedianAsOftenAsItSays) {
  std::mt19937 random(7);
  std::exponential_distribution<double> skewed(1.0);  // median ln 2
  int held = 0;
  const int rounds = 2000;
  for (int round = 0; round < rounds; ++round) {
    std::vector<int64_t> durations;
    for (int i = 0; i < 25; ++i) durations.push_back(static_cast<int64_t>(1e6 * skewed(random)));
    const IterationTime time = summarize(durations);
    held += time.low_ns <= 693147 && 693147 <= time.high_ns;
  }
  EXPECT_GE(held, rounds * 94 / 100);
  EXPECT_LE(held, rounds * 99 / 100);
}

TEST(TimingTest, NoiseOfTheMedianIsThatOfNormalValues) {
  EXPECT_EQ(noise_of_median(std::vector<int64_t>{100, 100, 100}), 0);
  // Deviations 1, 1, 0, 1, 900: one odd value does not count.
  EXPECT_NEAR(noise_of_median(std::vector<int64_t>{99, 101, 100, 101, 1000}), 0.0161, 0.0001);
  std::mt19937 random(7);
  std::normal_distribution<double> normal(1e6, 1e5);
  int held = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<int64_t> values;
    for (int i = 0; i < 25; ++i) values.push_back(static_cast<int64_t>(normal(random)));
    const int64_t median = summarize(values).median_ns;
    held +=
        std::abs(static_cast<double>(median) - 1e6) <= noise_of_median(values) * static_cast<double>(median);
  }
  EXPECT_NEAR(held, 1900, 50);
}

TEST(TimingTest, GoalIsReachedWhenSureOrOftenEnough) {
  const TimingGoal goal{.uncertainty = 0.02, .min_count = 6, .max_count = 10};
  EXPECT_FALSE(is_reached(goal, summarize(std::vector<int64_t>(5, 100))));  // too few to be sure
  EXPECT_TRUE(is_reached(goal, summarize(std::vector<int64_t>(6, 100))));
  EXPECT_FALSE(is_reached(goal, summarize(std::vector<int64_t>{100, 150, 100, 150, 100, 150})));
  EXPECT_TRUE(is_reached(goal, summarize(std::vector<int64_t>{1, 9, 1, 9, 1, 9, 1, 9, 1, 9})));
}

TEST(TimingTest, SettledWhenTheLastThreeAgree) {
  EXPECT_FALSE(has_settled(std::vector<int64_t>{100, 100}));
  EXPECT_FALSE(has_settled(std::vector<int64_t>{500, 150, 100, 100}));
  EXPECT_TRUE(has_settled(std::vector<int64_t>{500, 150, 100, 105, 100}));
}

}  // namespace
}  // namespace skyline::session
