#include "session/batch/batch_plan.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace skyline::session {
namespace {

using Sizes = std::vector<int64_t>;
constexpr int64_t kPlenty = 1'000'000'000'000;

// 1 ms and 1 MB a sample, on top of 10.
BatchModel measured(const Sizes& sizes) {
  std::vector<BatchSample> samples;
  for (const int64_t size : sizes) samples.push_back({size, (10 + size) * 1'000'000, 0});
  return BatchModel(samples);
}

Sizes next(int64_t current, const Sizes& known, const Sizes& failed, size_t count) {
  const BatchModel model = measured(known);
  return next_batch_sizes({.current = current, .time_ns = &model, .failed = failed, .budget_ns = kPlenty},
                          count);
}

TEST(BatchPlanTest, BeginsWithTheCurrentSize) {
  EXPECT_EQ(next_batch_sizes({.current = 32}, 3), Sizes{32});
  EXPECT_EQ(next_batch_sizes({.current = 32, .failed = {32}}, 3), Sizes{16});
  EXPECT_EQ(next_batch_sizes({.current = 1, .failed = {1}}, 3), Sizes{2});  // batch normalisation
  EXPECT_EQ(next_batch_sizes({.current = 2, .failed = {1, 2, 4, 8, 16}}, 3), Sizes{});
}

TEST(BatchPlanTest, GoesBothWaysGeometrically) {
  EXPECT_EQ(next(32, {32}, {}, 2), (Sizes{64, 16}));
  EXPECT_EQ(next(32, {16, 32, 64}, {}, 2), (Sizes{128, 8}));
  EXPECT_EQ(next(32, {8, 16, 32, 64, 128}, {}, 3), (Sizes{256, 4, 1}));
  EXPECT_EQ(next(1, {1}, {}, 4), (Sizes{2, 4, 8, 3}));
}

TEST(BatchPlanTest, FillsTheWidestGapAtLast) {
  EXPECT_EQ(next(32, {1, 4, 8, 16, 32, 64, 128, 256}, {}, 3), (Sizes{2, 23, 45}));
  EXPECT_EQ(next(2, {1, 2, 4, 8, 16}, {}, 2), (Sizes{3, 6}));
}

TEST(BatchPlanTest, LeavesGapsForTests) {
  const BatchModel time(std::vector<BatchSample>{{1, 10, 0}, {2, 20, 0}, {4, 40, 0}, {8, 80, 0}});
  BatchPlanInput input{.current = 4, .time_ns = &time, .failed = {16}, .budget_ns = 1'000'000};
  EXPECT_EQ(next_batch_sizes(input, 5), (Sizes{3, 6, 11, 5, 13}));
  input.leaves_gaps = true;
  EXPECT_EQ(next_batch_sizes(input, 5), (Sizes{6, 11, 13, 9, 14}));
}

TEST(BatchPlanTest, FailedSizesCloseTheirSide) {
  EXPECT_EQ(next(32, {32}, {64}, 2), (Sizes{16, 8}));
  EXPECT_EQ(next(4, {2, 4}, {1}, 3), (Sizes{8, 16, 32}));
  // Nothing is left but what lies between the largest that worked and the smallest that did not.
  EXPECT_EQ(next(2, {1, 2}, {8}, 9), (Sizes{4, 3, 6, 5, 7}));
}

TEST(BatchPlanTest, SizesThatWouldNotFitAreSkipped) {
  const BatchModel model = measured({16, 32, 64});
  BatchPlanInput input{.current = 32,
                       .time_ns = &model,
                       .memory_bytes = &model,
                       .capacity_bytes = 120'000'000,
                       .budget_ns = kPlenty};
  EXPECT_EQ(next_batch_sizes(input, 2), (Sizes{8, 4}));  // 128 would need 138 MB
  // In the gap to 128 lie those up to 110 that do fit; the interval takes one or two away.
  const Sizes all = next_batch_sizes(input, 1000);
  const int64_t largest = *std::max_element(all.begin(), all.end());
  EXPECT_GE(largest, 107);
  EXPECT_LE(largest, 110);
  // One sample is enough to know that twice the batch needs at most twice the memory.
  const BatchModel one = measured({32});
  input.time_ns = input.memory_bytes = &one;
  input.capacity_bytes = 80'000'000;
  EXPECT_EQ(next_batch_sizes(input, 2), (Sizes{16, 8}));
}

TEST(BatchPlanTest, SizesTogetherStayWithinTheBudget) {
  const BatchModel model = measured({16, 32, 64});
  BatchPlanInput input{.current = 32, .time_ns = &model, .budget_ns = 400'000'000, .iterations = 10};
  EXPECT_EQ(next_batch_sizes(input, 5), (Sizes{8, 4}));  // 180 + 140 ms; 1 would cost 110 more
  input.budget_ns = 100'000'000;
  EXPECT_EQ(next_batch_sizes(input, 5), Sizes{});
  input.budget_ns = 0;
  EXPECT_EQ(next_batch_sizes(input, 5), Sizes{});
}

TEST(BatchPlanTest, AnyNumberOfSizesCanBeAskedFor) {
  EXPECT_EQ(next(2, {2}, {}, 1000).size(), 15u);  // 1 to 16
  EXPECT_EQ(next(2, {2}, {}, 0), Sizes{});
}

TEST(BatchPlanTest, SizesBetweenSamplesAreTakenEvenly) {
  EXPECT_EQ(sizes_between({64, 4, 16}, 5), (std::vector<int64_t>{8, 32}));
  EXPECT_EQ(sizes_between({1, 4, 16, 64, 256, 1024}, 3), (std::vector<int64_t>{2, 32, 512}));
  EXPECT_EQ(sizes_between({1, 2, 3}, 3), (std::vector<int64_t>{}));
}

}  // namespace
}  // namespace skyline::session
