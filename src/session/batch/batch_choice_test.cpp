#include "session/batch/batch_choice.h"

#include <gtest/gtest.h>

namespace skyline::session {
namespace {

BatchModel line_model(int64_t offset, int64_t slope, const std::vector<int64_t>& sizes) {
  std::vector<BatchSample> samples;
  for (const int64_t size : sizes) samples.push_back({size, offset + slope * size, 0});
  return BatchModel(samples);
}

// 9 ms + 1 ms a sample: half of the limit, 1000 a second, at batch 9, 90 % at batch 81.
const std::vector<int64_t> kSizes = {16, 32, 64};
BatchModel time_model() { return line_model(9'000'000, 1'000'000, kSizes); }

TEST(BatchChoiceTest, ThroughputIsBatchOverTime) {
  EXPECT_NEAR(throughput(time_model(), 1), 100, 0.1);
  EXPECT_NEAR(throughput(time_model(), 81), 900, 0.1);
}

TEST(BatchChoiceTest, AnIntervalOfThroughputIsThatOfTheTimeTurnedRound) {
  const BatchPrediction time = time_model().predict(40);
  const ThroughputPrediction prediction = predict_throughput(time_model(), 40);
  EXPECT_DOUBLE_EQ(prediction.low, 40e9 / static_cast<double>(time.high));
  EXPECT_DOUBLE_EQ(prediction.high, 40e9 / static_cast<double>(time.low));
  EXPECT_LE(prediction.low, prediction.per_second);
  EXPECT_LE(prediction.per_second, prediction.high);
  EXPECT_FALSE(prediction.is_extrapolated);
  EXPECT_TRUE(predict_throughput(time_model(), 65).is_extrapolated);
}

TEST(BatchChoiceTest, SizesToShowAreOneByOneAndThenAHundredthApart) {
  EXPECT_EQ(sizes_up_to(1), std::vector<int64_t>{1});
  EXPECT_EQ(sizes_up_to(4), (std::vector<int64_t>{1, 2, 3, 4}));
  const std::vector<int64_t> sizes = sizes_up_to(100'000);
  EXPECT_EQ(sizes[511], 512);
  EXPECT_EQ(sizes.back(), 100'000);
  EXPECT_LT(sizes.size(), 1100u);
  for (size_t i = 512; i < sizes.size(); ++i) {
    EXPECT_GT(sizes[i], sizes[i - 1]);
    EXPECT_LE(sizes[i] - sizes[i - 1], sizes[i - 1] / 100 + 1);
  }
}

TEST(BatchChoiceTest, PeakOfALineIsAtTheEndAndTheKneeBefore) {
  const ThroughputPeak measured = throughput_peak(time_model(), 64);
  EXPECT_EQ(measured.batch_size, 64);
  EXPECT_FALSE(measured.is_extrapolated);
  // 64 / 73 ms, and B / (B + 9) = 0.9 * 64 / 73 at B = 33.66
  EXPECT_NEAR(measured.per_second, 1000.0 * 64 / 73, 0.1);
  EXPECT_EQ(measured.knee_batch_size, 34);

  const ThroughputPeak far = throughput_peak(time_model(), 1000);
  EXPECT_EQ(far.batch_size, 1000);
  EXPECT_TRUE(far.is_extrapolated);
  EXPECT_EQ(far.knee_batch_size, 75);
}

TEST(BatchChoiceTest, PeakMayBeInTheMiddle) {
  // From batch 16 on a sample costs twice as much.
  const BatchModel model(std::vector<BatchSample>{
      {4, 4'500'000, 0}, {8, 8'500'000, 0}, {16, 16'500'000, 0}, {32, 48'500'000, 0}, {64, 112'500'000, 0}});
  ASSERT_EQ(model.form(), CurveForm::kPiecewise);
  EXPECT_EQ(throughput_peak(model, 64).batch_size, 16);
  EXPECT_FALSE(throughput_peak(model, 64).is_extrapolated);
}

TEST(BatchChoiceTest, PeakIsNotBelowTheSmallestSample) {
  const BatchModel steep(std::vector<BatchSample>{{8, 2'000, 0}, {16, 6'000, 0}, {32, 14'000, 0}});
  const ThroughputPeak peak = throughput_peak(steep, 32);
  EXPECT_NEAR(peak.per_second, 8 / 2e-6, 1);
  EXPECT_EQ(peak.batch_size, 8);
  EXPECT_FALSE(peak.is_extrapolated);
}

TEST(BatchChoiceTest, SmallestBatchForATarget) {
  EXPECT_EQ(smallest_batch_for(time_model(), 500, 100), 9);
  EXPECT_EQ(smallest_batch_for(time_model(), 890, 100), 73);
  EXPECT_EQ(smallest_batch_for(time_model(), 1, 100), 1);
  EXPECT_EQ(smallest_batch_for(time_model(), 1001, 100'000), std::nullopt);
}

TEST(BatchChoiceTest, LargestBatchThatFitsIsCautious) {
  // 100 MB + 1 MB a sample: 900 expected in 1000 MB.
  const BatchModel memory = line_model(100'000'000, 1'000'000, kSizes);
  const BatchLimit expected = largest_batch_within(memory, 1'000'000'000);
  EXPECT_NEAR(static_cast<double>(expected.batch_size), 900, 1);
  EXPECT_TRUE(expected.is_extrapolated);
  EXPECT_TRUE(expected.is_reached);
  const BatchLimit sure = largest_batch_that_fits(memory, 1'000'000'000);
  EXPECT_LT(sure.batch_size, expected.batch_size);
  EXPECT_GT(sure.batch_size, expected.batch_size * 98 / 100);
  EXPECT_LE(memory.predict(sure.batch_size).high, 1'000'000'000);
  EXPECT_GT(memory.predict(sure.batch_size + 1).high, 1'000'000'000);
}

TEST(BatchChoiceTest, LargestBatchMayBeNoneOrBeyondTheSearch) {
  const BatchModel memory = line_model(100'000'000, 1'000'000, kSizes);
  EXPECT_EQ(largest_batch_that_fits(memory, 50'000'000).batch_size, 0);
  const BatchLimit far = largest_batch_that_fits(memory, 1'000'000'000'000);
  EXPECT_EQ(far.batch_size, 64 * kFarthestFactor);
  EXPECT_FALSE(far.is_reached);
  const BatchLimit constant = largest_batch_that_fits(line_model(100, 0, kSizes), 1000);
  EXPECT_FALSE(constant.is_reached);
}

// As an allocator does that keeps small blocks: batch 4 took more than batch 8, so the interval is wide.
TEST(BatchChoiceTest, WhatWasMeasuredToFitNeedsNoModel) {
  const BatchModel memory(std::vector<BatchSample>{
      {2, 280, 0}, {4, 330, 0}, {8, 313, 0}, {16, 382, 0}, {32, 506, 0}, {54, 690, 0}, {64, 770, 0}});
  ASSERT_EQ(memory.doubt(), BatchDoubt::kNotMonotone);
  ASSERT_GT(memory.predict(54).high, 700);
  const BatchLimit limit = largest_batch_that_fits(memory, 700);
  EXPECT_EQ(limit.batch_size, 54);
  EXPECT_TRUE(limit.is_reached);
  EXPECT_FALSE(limit.is_extrapolated);
  EXPECT_LT(largest_batch_that_fits(memory, 689).batch_size, 54);
}

TEST(BatchChoiceTest, OneThatWasMeasuredIsBetterThanAPredictionNextToIt) {
  const BatchModel memory = line_model(0, 100, {10, 20, 40, 99, 200});
  EXPECT_EQ(largest_batch_that_fits(memory, 10'150).batch_size, 99);
  EXPECT_GT(largest_batch_that_fits(memory, 11'000).batch_size, 105);
}

}  // namespace
}  // namespace skyline::session
