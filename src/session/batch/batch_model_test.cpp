#include "session/batch/batch_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace skyline::session {
namespace {

using Truth = std::function<double(double)>;
const std::vector<int64_t> kFive = {4, 8, 16, 32, 64};
const std::vector<int64_t> kSeven = {1, 4, 8, 16, 32, 64, 128};

double line(double b) { return 2e6 + 1e5 * b; }
// From batch 12 on nothing fits the cache any more.
double cache_step(double b) { return b <= 12 ? 2e6 + 1e5 * b : 3.2e6 + 3e5 * (b - 12); }
double power(double b) { return 1e6 + 4e5 * std::pow(b, 0.6); }

std::vector<BatchSample> sampled(const Truth& truth, const std::vector<int64_t>& sizes, double noise = 0) {
  std::vector<BatchSample> samples;
  for (const int64_t size : sizes) {
    samples.push_back({size, std::llround(truth(static_cast<double>(size))), noise});
  }
  return samples;
}

double error_at(const BatchModel& model, const Truth& truth, int64_t size) {
  return std::abs(static_cast<double>(model.predict(size).value) / truth(static_cast<double>(size)) - 1);
}

TEST(BatchModelTest, LineIsFoundAndContinued) {
  const BatchModel model(sampled(line, {16, 32, 64}));
  EXPECT_EQ(model.form(), CurveForm::kLine);
  EXPECT_EQ(model.doubt(), BatchDoubt::kNone);
  for (const int64_t size : {1, 16, 20, 63, 200}) EXPECT_LT(error_at(model, line, size), 1e-4) << size;
  EXPECT_TRUE(model.predict(15).is_extrapolated);
  EXPECT_FALSE(model.predict(16).is_extrapolated);
  EXPECT_FALSE(model.predict(64).is_extrapolated);
  EXPECT_TRUE(model.predict(65).is_extrapolated);
}

TEST(BatchModelTest, BendIsFollowedThroughTheSamples) {
  for (const auto& sizes : {std::vector<int64_t>{4, 12, 64}, kFive, kSeven}) {
    const std::vector<BatchSample> samples = sampled(cache_step, sizes, 0.01);
    const BatchModel model(samples);
    ASSERT_EQ(model.form(), CurveForm::kPiecewise) << sizes.size();
    const Curve plain = fit_curve(CurveForm::kLine, samples);
    double ours = 0, plains = 0;
    for (int64_t size = 5; size < 64; ++size) {
      ours += error_at(model, cache_step, size);
      plains += std::abs(plain.at(static_cast<double>(size)) / cache_step(static_cast<double>(size)) - 1);
    }
    EXPECT_LT(ours, plains / 2) << sizes.size();
  }
}

// A small GPT on a CPU: from batch 7 on the allocator gives memory back after every iteration.
TEST(BatchModelTest, ANoisyJumpIsFollowedThroughTheSamples) {
  const BatchModel model(std::vector<BatchSample>{{1, 37'970, 0.03},
                                                  {2, 60'520, 0.03},
                                                  {4, 104'580, 0.03},
                                                  {8, 218'110, 0.03},
                                                  {16, 396'150, 0.03},
                                                  {32, 789'630, 0.03}});
  EXPECT_EQ(model.form(), CurveForm::kPiecewise);
  EXPECT_NEAR(static_cast<double>(model.predict(3).value), 79'560, 0.05 * 79'560);
  EXPECT_NEAR(static_cast<double>(model.predict(11).value), 286'100, 0.03 * 286'100);
  EXPECT_NEAR(static_cast<double>(model.predict(23).value), 583'030, 0.03 * 583'030);
}

TEST(BatchModelTest, PowerLawIsFound) {
  const BatchModel model(sampled(power, kSeven, 0.002));
  EXPECT_EQ(model.form(), CurveForm::kPower);
  for (const int64_t size : {2, 3, 50, 100, 200}) EXPECT_LT(error_at(model, power, size), 0.005) << size;
}

TEST(BatchModelTest, NoiseCostsALineLittle) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal(0, 0.01);
  int lines = 0;
  double ours = 0, lines_error = 0;
  for (int round = 0; round < 200; ++round) {
    const Truth noisy = [&](double b) { return line(b) * (1 + normal(random)); };
    const std::vector<BatchSample> samples = sampled(noisy, kFive, 0.0196);
    const BatchModel model(samples);
    const Curve plain = fit_curve(CurveForm::kLine, samples);
    lines += model.form() == CurveForm::kLine;
    for (int64_t size = kFive.front(); size <= kFive.back(); ++size) {
      const auto b = static_cast<double>(size);
      ours += error_at(model, line, size);
      lines_error += std::abs(plain.at(b) / line(b) - 1);
    }
  }
  EXPECT_GE(lines, 120);
  EXPECT_LT(ours, 1.25 * lines_error);
}

TEST(BatchModelTest, OneOddSampleMovesALineLittle) {
  std::vector<BatchSample> samples = sampled(line, kSeven, 0.01);
  samples[3].value = samples[3].value * 3 / 2;
  const Curve curve = fit_curve(CurveForm::kLine, samples);
  for (const double size : {1.0, 10.0, 100.0}) EXPECT_NEAR(curve.at(size) / line(size), 1, 0.02) << size;
}

// A new measurement of a size that was not sampled is in the interval at least as often as promised.
TEST(BatchModelTest, IntervalsHoldAsOftenAsTheySay) {
  std::mt19937 random(11);
  for (const double sigma : {0.005, 0.02}) {
    for (const auto& sizes : {std::vector<int64_t>{16, 32, 64}, kFive, kSeven}) {
      std::normal_distribution<double> normal(0, sigma);
      const Truth noisy = [&](double b) { return line(b) * (1 + normal(random)); };
      int held = 0, tried = 0;
      double width = 0;
      for (int round = 0; round < 150; ++round) {
        const BatchModel model(sampled(noisy, sizes, 1.96 * sigma));
        for (const int64_t size : {20, 27, 41, 55}) {
          const BatchPrediction prediction = model.predict(size);
          const double measured = noisy(static_cast<double>(size));
          held += static_cast<double>(prediction.low) <= measured &&
                  measured <= static_cast<double>(prediction.high);
          width += static_cast<double>(prediction.high - prediction.low) / line(static_cast<double>(size));
          ++tried;
        }
      }
      EXPECT_GE(held, tried * 89 / 100) << sigma << " " << sizes.size();
      EXPECT_LE(width / tried, 8 * sigma) << sigma << " " << sizes.size();  // a normal one is 3.3 wide
    }
  }
}

TEST(BatchModelTest, IntervalCoversWhatABendHides) {
  const BatchModel model(sampled(cache_step, kFive, 0.005));
  for (int64_t size = 4; size <= 64; ++size) {
    const BatchPrediction prediction = model.predict(size);
    const double truth = cache_step(static_cast<double>(size));
    EXPECT_LE(static_cast<double>(prediction.low), truth) << size;
    EXPECT_GE(static_cast<double>(prediction.high), truth) << size;
  }
}

TEST(BatchModelTest, IntervalGrowsOutsideTheSamples) {
  const BatchModel model(sampled(cache_step, kFive, 0.005));
  const auto width = [&](int64_t size) {
    const BatchPrediction prediction = model.predict(size);
    return static_cast<double>(prediction.high - prediction.low) / static_cast<double>(prediction.value);
  };
  EXPECT_LT(width(64), width(128));
  EXPECT_LT(width(128), width(512));
  EXPECT_LT(width(4), width(2));
}

// Costs that grow faster than the batch where they were measured must not vanish below.
TEST(BatchModelTest, ExtrapolationStaysPossible) {
  const BatchModel steep(std::vector<BatchSample>{{8, 2'000, 0.01}, {16, 6'000, 0.01}, {32, 14'000, 0.01}});
  EXPECT_EQ(steep.predict(4).value, 1'000);
  EXPECT_EQ(steep.predict(1).value, 250);
  EXPECT_EQ(steep.predict(64).value, 30'000);
  const BatchModel falling(std::vector<BatchSample>{{8, 6'000, 0.01}, {16, 4'000, 0.01}, {32, 2'000, 0.01}});
  EXPECT_NEAR(static_cast<double>(falling.predict(4).value), 6'000, 60);
  EXPECT_NEAR(static_cast<double>(falling.predict(64).value), 2'000, 20);
}

TEST(BatchModelTest, FewSamplesGiveWhatIsPossible) {
  const BatchModel one(sampled(line, {10}));  // 3 ms
  EXPECT_EQ(one.doubt(), BatchDoubt::kTooFewSamples);
  EXPECT_EQ(one.predict(20).low, 3'000'000);
  EXPECT_EQ(one.predict(20).high, 6'000'000);
  EXPECT_EQ(one.predict(20).value, 6'000'000);
  EXPECT_EQ(one.predict(5).low, 1'500'000);
  EXPECT_EQ(one.predict(5).high, 3'000'000);

  const BatchModel two(sampled(line, {10, 20}));  // 3 and 4 ms
  EXPECT_EQ(two.doubt(), BatchDoubt::kTooFewSamples);
  EXPECT_EQ(two.predict(15).value, 3'500'000);
  EXPECT_EQ(two.predict(15).low, 3'000'000);
  EXPECT_EQ(two.predict(15).high, 4'000'000);
  EXPECT_EQ(two.predict(40).high, 8'000'000);
}

TEST(BatchModelTest, DoubtsAreNamed) {
  EXPECT_EQ(BatchModel(sampled([](double) { return 5e6; }, kFive, 0.01)).doubt(), BatchDoubt::kIndependent);
  std::vector<BatchSample> falling = sampled(line, kFive, 0.01);
  falling[4].value = falling[3].value * 9 / 10;
  EXPECT_EQ(BatchModel(falling).doubt(), BatchDoubt::kNotMonotone);
  falling[4].value = falling[3].value * 995 / 1000;  // noise may do that
  EXPECT_EQ(BatchModel(falling).doubt(), BatchDoubt::kNone);
  EXPECT_NE(sentence_of(BatchDoubt::kIndependent), "");
  EXPECT_EQ(sentence_of(BatchDoubt::kNone), "");
}

TEST(BatchModelTest, OrderDoesNotMatterAndTheSurerOfTwoCounts) {
  const std::vector<BatchSample> samples = {
      {64, 8400, 0.01}, {16, 3600, 0.01}, {32, 9999, 0.2}, {32, 5200, 0.01}};
  const BatchModel model(samples);
  EXPECT_EQ(model.samples().size(), 3u);
  EXPECT_NEAR(static_cast<double>(model.predict(32).value), 5200, 5);
}

TEST(BatchModelTest, NothingAtAllIsNoTrouble) {
  const BatchModel model(std::vector<BatchSample>{{1, 0, 0}, {2, 0, 0}, {4, 0, 0}});
  EXPECT_EQ(model.predict(3).value, 0);
  EXPECT_EQ(model.predict(INT64_MAX).value, 0);
}

// Times of a small CNN on two cores, where from batch 16 on the data no longer fits the cache.
TEST(BatchModel, AFormThatPassesTheOuterSamplesByIsNotChosen) {
  const std::vector<BatchSample> samples = {{1, 630'000, 0.02},   {2, 1'000'000, 0.02}, {3, 1'100'000, 0.02},
                                            {4, 1'180'000, 0.02}, {8, 1'560'000, 0.02}, {16, 3'910'000, 0.02},
                                            {32, 6'350'000, 0.02}};
  const BatchModel model(samples);
  EXPECT_NEAR(static_cast<double>(model.predict(32).value), 6'350'000, 635'000);
  EXPECT_NEAR(static_cast<double>(model.predict(1).value), 630'000, 63'000);
  EXPECT_NEAR(static_cast<double>(model.predict(64).value), 12'700'000, 3'000'000);
}

}  // namespace
}  // namespace skyline::session
