#include "session/profile/page_faults.h"

#include <gtest/gtest.h>

#include "session/profile/live_evidence.h"
#include "session/profile/profile_result.h"

namespace skyline::session {
namespace {

constexpr int64_t kOneMs = 1'000'000;

// Timed first, then visited three times in turns with others.
BatchMeasurement measured(int64_t batch_size, int64_t first_ms, int64_t then_ms, int64_t faults) {
  BatchMeasurement one;
  one.batch_size = batch_size;
  one.durations_ns.assign(8, first_ms * kOneMs);
  one.time = summarize(one.durations_ns);
  one.visits_ns = {first_ms * kOneMs, then_ms * kOneMs, then_ms * kOneMs, then_ms * kOneMs};
  one.visit_faults = {faults, 0, 0, 0};
  one.is_kept_later = true;
  return one;
}

TEST(PageFaults, AreWhatTheOwnSizeHasMoreOfAtFirst) {
  const std::optional<PageFaults> faults = page_faults_of(measured(32, 60, 45, 11'000));
  ASSERT_TRUE(faults);
  EXPECT_EQ(faults->per_iteration, 11'000);
  EXPECT_EQ(faults->kept_per_iteration, 0);
  EXPECT_EQ(faults->as_run_ns, 60 * kOneMs);
  EXPECT_EQ(faults->kept_ns, 45 * kOneMs);
}

TEST(PageFaults, AreNotBlamedForTheMachinesPace) {
  EXPECT_FALSE(page_faults_of(measured(32, 60, 45, 100)));     // too few for that
  EXPECT_FALSE(page_faults_of(measured(32, 90, 45, 11'000)));  // they cost less than that
  EXPECT_FALSE(page_faults_of(measured(32, 45, 60, 11'000)));  // slower without them
  BatchMeasurement once = measured(32, 60, 45, 11'000);
  once.visits_ns.resize(1);
  once.visit_faults.resize(1);
  EXPECT_FALSE(page_faults_of(once));
  BatchMeasurement never_kept = measured(32, 60, 45, 11'000);
  never_kept.is_kept_later = false;
  EXPECT_FALSE(page_faults_of(never_kept));
}

TEST(PageFaults, AllSizesAreBroughtToTheLevelOfTheFirstTime) {
  std::vector<BatchMeasurement> samples = {measured(32, 60, 45, 11'000), measured(64, 84, 84, 0),
                                           measured(16, 30, 30, 0)};
  std::vector<BatchMeasurement> held_out = {measured(48, 66, 66, 0)};
  level_visits(samples, held_out);
  EXPECT_EQ(time_sample(samples[0]).value, 60 * kOneMs);  // as the headline says
  EXPECT_EQ(time_sample(samples[1]).value, 112 * kOneMs);
  EXPECT_EQ(time_sample(held_out[0]).value, 88 * kOneMs);
  // Also before there are rounds of visits.
  for (BatchMeasurement& sample : samples) {
    sample.visits_ns.resize(sample.batch_size == 32 ? 2 : 1);
    sample.visit_faults.resize(sample.visits_ns.size());
  }
  samples[0].time.median_ns = 50 * kOneMs;  // of the first times and of the visit
  level_visits(samples, held_out);
  EXPECT_EQ(time_sample(samples[0]).value, 60 * kOneMs);
  EXPECT_EQ(time_sample(samples[1]).value, 112 * kOneMs);
}

// What the headline says of them.
std::string advice(const ProfileResult& result) {
  for (const analyze::Finding& finding : analyze::find_live_findings(live_evidence(result))) {
    if (finding.id == "memory.page_faults" && finding.state == analyze::FindingState::kFound)
      return finding.sentence;
  }
  return "";
}

TEST(PageFaults, AdviceIsGivenWhereItClearlyHelps) {
  ProfileResult result;
  result.samples = {measured(32, 60, 45, 11'000)};
  result.measured = result.samples.front();
  EXPECT_EQ(
      advice(result),
      "25 % of the iteration is page faults, 11000 of them, as freed memory goes back to the system: started "
      "with MALLOC_TRIM_THRESHOLD_=4294967296 MALLOC_MMAP_THRESHOLD_=33554432 it takes 45 ms instead of 60.");
  result.measured->time.low_ns = 44 * kOneMs;  // it is not known that well
  EXPECT_EQ(advice(result), "");
  result.samples = {measured(32, 60, 58, 11'000)};
  result.measured = result.samples.front();
  EXPECT_EQ(advice(result), "");
  EXPECT_EQ(advice({}), "");
}

}  // namespace
}  // namespace skyline::session
