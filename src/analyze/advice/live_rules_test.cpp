#include "analyze/advice/live_rules.h"

#include <gtest/gtest.h>

namespace skyline::analyze {
namespace {

constexpr int64_t kOneMs = 1'000'000, kOneGiB = int64_t{1} << 30;

PageFaultTrial faults(int64_t as_run_ms, int64_t kept_ms) {
  return {.faults = 11'000,
          .as_run_ns = as_run_ms * kOneMs,
          .as_run_low_ns = as_run_ms * kOneMs,
          .kept_ns = kept_ms * kOneMs,
          .kept_noise = 0.02};
}

Finding found(const PageFaultTrial& trial) {
  Findings findings;
  rule_page_faults({.page_faults = trial, .batch = {}}, findings);
  return findings.at(0);
}

TEST(LiveRules, WhatWasNotTriedIsNotSpokenOf) {
  Findings findings;
  rule_page_faults({}, findings);
  rule_batch_size({}, findings);
  EXPECT_TRUE(findings.empty());
}

TEST(LiveRules, PageFaultsThatCostMuchAreFoundWithWhatWasTried) {
  const Finding finding = found(faults(60, 45));
  EXPECT_EQ(finding.state, FindingState::kFound);
  EXPECT_EQ(finding.count, 11'000);
  EXPECT_EQ(finding.cure,
            "Start the training with MALLOC_TRIM_THRESHOLD_=4294967296 MALLOC_MMAP_THRESHOLD_=33554432.");
  ASSERT_TRUE(finding.gain);
  EXPECT_EQ(finding.gain->time_ns, 15 * kOneMs);
  EXPECT_EQ(finding.gain->origin, FindingGain::Origin::kTried);
  EXPECT_LT(finding.gain->low_ns, finding.gain->time_ns);
  EXPECT_GT(finding.gain->high_ns, finding.gain->time_ns);
}

TEST(LiveRules, PageFaultsThatCostLittleAreNot) {
  EXPECT_EQ(found(faults(60, 58)).state, FindingState::kNotFound);
}

TEST(LiveRules, PageFaultsAreNotBlamedWhereIterationsDifferMore) {
  PageFaultTrial trial = faults(60, 45);
  trial.as_run_low_ns = 44 * kOneMs;
  EXPECT_EQ(found(trial).state, FindingState::kCannotJudge);
}

BatchTrial batch() {
  return {.knows_memory = true,
          .now_per_second = 1000,
          .most_per_second = 1200,
          .better = 1024,
          .better_per_second = 1160,
          .better_low_per_second = 1100,
          .better_bytes = 3 * kOneGiB,
          .capacity_bytes = 8 * kOneGiB};
}

Finding found(const BatchTrial& trial) {
  Findings findings;
  rule_batch_size({.page_faults = {}, .batch = trial}, findings);
  return findings.at(0);
}

TEST(LiveRules, ALargerBatchIsFound) {
  const Finding finding = found(batch());
  EXPECT_EQ(finding.state, FindingState::kFound);
  EXPECT_EQ(finding.sentence, "Batch 1 024 would give about 16 % more and use 3.0 of 8.0 GiB.");
  EXPECT_EQ(finding.cure, "Set the batch size to 1024.");
}

TEST(LiveRules, WithoutMemoryItIsNotSaidWhetherItFits) {
  BatchTrial trial = batch();
  trial.better_bytes = 0;
  EXPECT_EQ(found(trial).sentence, "Batch 1 024 would give about 16 % more.");
}

TEST(LiveRules, WhereNoSizeIsFasterThatIsSaid) {
  BatchTrial trial = batch();
  trial.most_per_second = 1040;
  EXPECT_EQ(found(trial).state, FindingState::kNotFound);
  EXPECT_EQ(found(trial).sentence, "No batch size that was run and fits is 5 % faster.");
  trial.knows_memory = false;
  EXPECT_EQ(found(trial).sentence, "No batch size that was run is 5 % faster.");
}

TEST(LiveRules, AGainThatMayBeNoneIsNotPromised) {
  BatchTrial trial = batch();
  trial.better_low_per_second = 990;
  EXPECT_EQ(found(trial).state, FindingState::kCannotJudge);
  trial = batch();
  trial.is_extrapolated = true;
  EXPECT_EQ(found(trial).state, FindingState::kCannotJudge);
}

}  // namespace
}  // namespace skyline::analyze
