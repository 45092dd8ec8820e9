#include "session/batch/evaluation.h"

#include <gtest/gtest.h>

#include <cmath>

namespace skyline::session {
namespace {

// Time 100 + 10 B, memory 1000 + 50 B, from these batch sizes.
StartModels line(int64_t start, const std::vector<int64_t>& sampled, std::vector<TargetTrials> targets) {
  std::vector<BatchSample> time, memory;
  for (const int64_t size : sampled) {
    time.push_back({size, 100 + 10 * size, 0});
    memory.push_back({size, 1000 + 50 * size, 0});
  }
  return {start, BatchModel(time), BatchModel(memory), std::move(targets)};
}

TEST(PredictionErrors, ErrorsAreSignedAndPositiveWhereTooMuchWasPredicted) {
  // Predicted 300 ns and 2000 bytes at batch 20.
  const PredictionErrors result = evaluate_models({line(16, {8, 16, 32}, {{20, {330, 330, 330}, 1600}})});
  ASSERT_EQ(result.pairs.size(), 1u);
  const PairErrors& pair = result.pairs[0];
  EXPECT_EQ(pair.start, 16);
  EXPECT_EQ(pair.target, 20);
  EXPECT_NEAR(pair.errors.throughput, 0.1, 1e-9);
  EXPECT_NEAR(pair.errors.memory, 0.25, 1e-9);
  EXPECT_NEAR(pair.predicted_per_second, 20e9 / 300, 1);
  EXPECT_TRUE(pair.is_inside);
}

TEST(PredictionErrors, TheMedianOfTheTrialsIsTheTruth) {
  const PredictionErrors result =
      evaluate_models({line(16, {8, 16, 32}, {{20, {300, 9000, 300, 310, 290}, 2000}})});
  EXPECT_NEAR(result.pairs[0].errors.throughput, 0, 1e-9);
  EXPECT_NEAR(result.pairs[0].errors.memory, 0, 1e-9);
}

TEST(PredictionErrors, EveryStartHasItsOwnTargets) {
  const PredictionErrors result =
      evaluate_models({line(16, {8, 16, 32}, {{20, {300}, 2000}, {24, {340}, 2200}}),
                       line(32, {16, 32, 64}, {{48, {580}, 3400}})});
  ASSERT_EQ(result.pairs.size(), 3u);
  EXPECT_EQ(result.pairs[1].target, 24);
  EXPECT_EQ(result.pairs[2].start, 32);
}

TEST(PredictionErrors, PairsOutsideTheSamplesDoNotCountForTheMedian) {
  const PredictionErrors result =
      evaluate_models({line(16, {8, 16, 32}, {{20, {303}, 2000}, {24, {340}, 2200}, {1000, {1}, 1}})});
  EXPECT_FALSE(result.pairs[2].is_inside);
  EXPECT_NEAR(result.median_error.throughput, 0.005, 1e-9);
  EXPECT_NEAR(result.median_error.memory, 0, 1e-9);
}

TEST(PredictionErrors, NoiseIsHowFarOneHalfOfTheTrialsIsFromTheOther) {
  const PredictionErrors result =
      evaluate_models({line(16, {8, 16, 32}, {{20, {330, 300, 330, 300, 900}, 2000}})});
  EXPECT_NEAR(result.noise, 0.1, 1e-9);
}

TEST(PredictionErrors, OneTrialTellsNothingOfNoise) {
  const PredictionErrors result = evaluate_models({line(16, {8, 16, 32}, {{20, {300}, 0}})});
  EXPECT_TRUE(std::isnan(result.noise));
  EXPECT_TRUE(std::isnan(result.median_error.memory)) << "no memory was recorded";
}

TEST(PredictionErrors, ATargetThatNeverRanIsLeftOut) {
  EXPECT_TRUE(evaluate_models({line(16, {8, 16, 32}, {{20}})}).pairs.empty());
}

}  // namespace
}  // namespace skyline::session
