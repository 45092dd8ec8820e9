#include "session/profile/batch_edit.h"

#include <gtest/gtest.h>

namespace skyline::session {
namespace {

// 1 ms and 1 ms per sample; 1 MB and 1 MB per sample; up to batch 64 fits.
ProfileResult linear_profile() {
  std::vector<BatchSample> time, memory;
  for (const int64_t batch : {4, 8, 16, 32, 64}) {
    time.push_back({batch, 1'000'000 + batch * 1'000'000, 0.001});
    memory.push_back({batch, 1'000'000 + batch * 1'000'000, 0.001});
  }
  ProfileResult result;
  result.models =
      BatchModels{BatchModel(time), BatchModel(memory), BatchModel(memory), {64, false, true}, {}};
  result.models->peak = throughput_peak(result.models->time_ns, 64);
  result.loaded.literal =
      BatchLiteral{.path = "entry_point.py", .value = 16, .begin_byte = 4, .end_byte = 6, .file_hash = ""};
  return result;
}

TEST(BatchEditTest, ABatchSizeIsTakenAsItIs) {
  const ProfileResult result = linear_profile();
  const Result<Edit> edit = edit_for(result, BatchSizeTarget{48});
  ASSERT_TRUE(edit.ok());
  EXPECT_EQ(edit.value().new_text, "48");
  EXPECT_EQ(edit.value().literal.begin_byte, 4);
  EXPECT_FALSE(edit_for(result, BatchSizeTarget{0}).ok());
}

TEST(BatchEditTest, TheSmallestBatchThatIsFastEnough) {
  const ProfileResult result = linear_profile();
  // 1000 B / (1 + B) >= 900 from B = 9 on.
  const Result<int64_t> batch = batch_size_for(result, ThroughputTarget{900});
  ASSERT_TRUE(batch.ok());
  EXPECT_EQ(batch.value(), 9);
  const Result<int64_t> none = batch_size_for(result, ThroughputTarget{1000});
  ASSERT_FALSE(none.ok());
  EXPECT_NE(none.error().sentence.find("the most is 985, at 64"), std::string::npos) << none.error().sentence;
}

TEST(BatchEditTest, TheLargestBatchThatIsSmallEnough) {
  const ProfileResult result = linear_profile();
  const Result<int64_t> batch = batch_size_for(result, MemoryTarget{21'000'000});
  ASSERT_TRUE(batch.ok());
  EXPECT_EQ(batch.value(), 20);
  EXPECT_FALSE(batch_size_for(result, MemoryTarget{1'000'000}).ok());
}

TEST(BatchEditTest, WhatIsNotKnownIsSaid) {
  ProfileResult result = linear_profile();
  result.loaded.literal.reset();
  result.loaded.no_literal = "the default of batch_size is computed";
  EXPECT_EQ(edit_for(result, BatchSizeTarget{48}).error().sentence, result.loaded.no_literal);
  result.models.reset();
  EXPECT_FALSE(batch_size_for(result, ThroughputTarget{10}).ok());
  const std::vector<BatchSample> two = {{4, 100, 0}, {8, 200, 0}};
  result.models = BatchModels{BatchModel(two), BatchModel(two), BatchModel(two), {64, false, true}, {}};
  EXPECT_NE(batch_size_for(result, ThroughputTarget{10}).error().sentence.find("fewer than 3"),
            std::string::npos);
}

}  // namespace
}  // namespace skyline::session
