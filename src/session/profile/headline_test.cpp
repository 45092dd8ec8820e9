#include "session/profile/headline.h"

#include <gtest/gtest.h>

#include "session/profile/test_profile.h"

namespace skyline::session {
namespace {

constexpr int64_t kMs = 1'000'000, kGiB = 1 << 30;

// An iteration by hand: modules with their forward and backward time.
class TimesBuilder {
 public:
  TimesBuilder() { add(kNoRow, 0, "", {}); }

  uint32_t add(uint32_t parent, uint32_t depth, const std::string& name, const analyze::PhaseTimes& own) {
    analyze::BreakdownNode node;
    node.parent = parent;
    node.depth = depth;
    node.name = name;
    node.own.host = own;
    breakdown_.modules.push_back(node);
    const auto index = static_cast<uint32_t>(breakdown_.modules.size() - 1);
    for (uint32_t i = index; i != kNoRow; i = breakdown_.modules[i].parent) {
      breakdown_.modules[i].total.host.add(own);
      breakdown_.modules[i].end = index + 1;
    }
    return index;
  }

  static analyze::PhaseTimes times(int64_t forward, int64_t backward) {
    analyze::PhaseTimes all;
    all.add(analyze::Phase::kForward, forward);
    all.add(analyze::Phase::kBackward, backward);
    return all;
  }
  static analyze::PhaseTimes in(analyze::Phase phase, int64_t ns) {
    analyze::PhaseTimes all;
    all.add(phase, ns);
    return all;
  }

  std::shared_ptr<const TimeBreakdown> finish() {
    return std::make_shared<const TimeBreakdown>(TimeBreakdown{nullptr, breakdown_});
  }

 private:
  analyze::Breakdown breakdown_;
};

// 32 samples in so many milliseconds, timed so often.
ProfileResult timed(int64_t median_ms, size_t count = 41) {
  ProfileResult result;
  result.batch_size = 32;
  result.measured = TestProfile::sample(32, median_ms * kMs, 100);
  result.measured->time.count = count;
  result.measured->time.low_ns = result.measured->time.median_ns * 99 / 100;
  result.measured->time.high_ns = result.measured->time.median_ns * 101 / 100;
  result.is_timed = true;
  return result;
}

void model(ProfileResult& result, const std::vector<std::pair<int64_t, int64_t>>& ms_by_size,
           int64_t capacity = 8 * kGiB) {
  std::vector<BatchSample> time, bytes;
  for (const auto& [size, ms] : ms_by_size) {
    time.push_back({size, ms * kMs, 0.001});
    bytes.push_back({size, kGiB + size * kGiB / 32, 0});
  }
  result.capacity = {capacity, "available RAM"};
  result.models = BatchModels{BatchModel(time), BatchModel(bytes), BatchModel(bytes), {}, {}};
  result.models->largest = largest_batch_that_fits(result.models->resident_bytes, capacity);
  result.models->peak = throughput_peak(result.models->time_ns, result.models->largest.batch_size);
}

using Sentences = std::vector<std::string>;

TEST(HeadlineTest, NothingIsSaidBeforeSomethingIsMeasured) { EXPECT_EQ(headline({}), Sentences{}); }

TEST(HeadlineTest, TheThroughputComesFirstWithWhatIsKnownOfItsCertainty) {
  EXPECT_EQ(headline(timed(20)), Sentences{"1 600 samples/s ± 1.0 % at batch 32."});
  EXPECT_EQ(headline(timed(2000)), Sentences{"16 samples/s ± 1.0 % at batch 32."});
  EXPECT_EQ(headline(timed(2000, 3)), Sentences{"16 samples/s at batch 32, from 3 iterations."});
  ProfileResult first = timed(20, 2);
  first.is_timed = false;
  first.tokens = 32 * 128;
  EXPECT_EQ(headline(first), Sentences{"1 600 samples/s at batch 32, 204 800 tokens/s so far."});
}

TEST(HeadlineTest, TheFewestModulesThatHaveMostOfTheIterationAreNamed) {
  ProfileResult result = timed(20);
  TimesBuilder times;
  const uint32_t net = times.add(0, 1, "", TimesBuilder::times(2, 2));
  times.add(net, 2, "stem", TimesBuilder::times(6, 10));
  times.add(net, 2, "stage2", TimesBuilder::times(10, 20));
  times.add(net, 2, "stage3", TimesBuilder::times(12, 20));
  times.add(net, 2, "head", TimesBuilder::times(4, 14));
  result.time = times.finish();
  EXPECT_EQ(headline(result)[1],
            "62 % of the iteration is in stage3 and stage2; backward takes 1.9 × forward.");
}

TEST(HeadlineTest, AModuleThatIsNearlyEverythingIsLookedInto) {
  ProfileResult result = timed(20);
  TimesBuilder times;
  const uint32_t net = times.add(0, 1, "", {});
  const uint32_t body = times.add(net, 2, "body", TimesBuilder::times(1, 1));
  times.add(body, 3, "body.attention", TimesBuilder::times(20, 40));
  times.add(body, 3, "body.mlp", TimesBuilder::times(13, 25));
  result.time = times.finish();
  EXPECT_EQ(headline(result)[1], "60 % of the iteration is in body.attention; backward takes 1.9 × forward.");
}

TEST(HeadlineTest, ManyEqualModulesAreNotNamedButAnOddPhaseIs) {
  ProfileResult result = timed(20);
  TimesBuilder times;
  const uint32_t net = times.add(0, 1, "", TimesBuilder::in(analyze::Phase::kPython, 30));
  for (int i = 0; i < 10; ++i) times.add(net, 2, std::to_string(i), TimesBuilder::times(3, 4));
  result.time = times.finish();
  EXPECT_EQ(headline(result)[1],
            "30 % of the iteration is Python between operators; backward takes 1.3 × forward.");
}

TEST(HeadlineTest, ALargerBatchIsAdvisedOnlyWithinWhatWasRunAndFits) {
  ProfileResult result = timed(41);  // 9 ms + 1 ms a sample
  model(result, {{8, 17}, {16, 25}, {32, 41}, {64, 73}, {128, 137}});
  EXPECT_EQ(headline(result).back(), "Batch 85 would give about 16 % more and use 3.7 of 8.0 GiB.");
  model(result, {{8, 17}, {16, 25}, {32, 41}, {64, 73}, {128, 137}}, 5 * kGiB / 2);
  EXPECT_EQ(headline(result).back(), "Batch 44 would give about 6 % more and use 2.4 of 2.5 GiB.");
}

TEST(HeadlineTest, WhereTheBatchSizeMattersLittleThatIsSaid) {
  ProfileResult result = timed(32);
  model(result, {{8, 8}, {16, 16}, {32, 32}, {64, 64}});
  EXPECT_EQ(headline(result).back(), "No batch size that was run and fits is 5 % faster.");
}

TEST(HeadlineTest, AModelInDoubtPredictsNothing) {
  ProfileResult result = timed(41);
  model(result, {{16, 25}, {32, 41}});
  ASSERT_EQ(result.models->time_ns.doubt(), BatchDoubt::kTooFewSamples);
  EXPECT_EQ(headline(result).size(), 1u);
}

}  // namespace
}  // namespace skyline::session
