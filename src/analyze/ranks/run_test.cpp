#include "analyze/ranks/run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "analyze/core/test_trace.h"

namespace skyline::analyze {
namespace {

using RankRun = Run;  // in a test, Run is that of gtest

RankDigest rank_with(int64_t rank, int64_t compute_ns, int64_t judged_ns = 1000) {
  RankDigest digest;
  digest.label = {rank, true, "rank" + std::to_string(rank)};
  digest.verdict.sentence = "The step waits.";
  digest.verdict.judged_ns = judged_ns;
  digest.verdict.parts = {{"device compute", "", compute_ns}, {"host", "", judged_ns - compute_ns}};
  return digest;
}

std::vector<RankLabel> labels_of(const Run& run) {
  std::vector<RankLabel> labels;
  for (const RankDigest& rank : run.ranks()) labels.push_back(rank.label);
  return labels;
}

TEST(RunTest, TheRankWhoseDeviceComputesLeastIsNamed) {
  const RankRun run({rank_with(2, 300), rank_with(0, 400), rank_with(1, 200)});
  EXPECT_EQ(run.by_need(), (std::vector<size_t>{1, 2, 0}));
  EXPECT_EQ(run.sentence(), "Of 3 ranks, rank 1 computes least. The step waits.");
}

TEST(RunTest, OfEqualSharesTheSlowerRankComesFirst) {
  const RankRun run({rank_with(0, 250, 1000), rank_with(1, 500, 2000)});
  EXPECT_EQ(run.by_need(), (std::vector<size_t>{1, 0}));
}

TEST(RunTest, ARankThatCannotBeJudgedComputesNothing) {
  RankDigest unknown;
  unknown.label = {1, true, "b"};
  const RankRun run({rank_with(0, 10), unknown});
  EXPECT_EQ(run.by_need().front(), 1u);
}

TEST(RunTest, TracesThatDoNotSayWhichRankTheyAreAreNotCompared) {
  RankDigest other = rank_with(1, 300);
  other.label.known = false;
  const RankRun run({rank_with(0, 400), other});
  EXPECT_FALSE(run.is_one_run());
  EXPECT_EQ(run.sentence(), "2 traces that are not known to be ranks of one run, so they are not compared.");
}

TEST(RunTest, TwoTracesOfOneRankAreNotOneRun) {
  RankDigest again = rank_with(3, 300);
  again.label.file = "later";
  EXPECT_FALSE(RankRun({rank_with(3, 400), again}).is_one_run());
}

TEST(RunTest, OneTraceNeedsNoComparison) {
  EXPECT_EQ(RankRun({rank_with(0, 400)}).sentence(), "");
  EXPECT_EQ(RankRun().sentence(), "");
}

TEST(RunTest, OffsetsAreCountedFromTheEarliestRank) {
  RankDigest early = rank_with(1, 100), late = rank_with(0, 100);
  early.start_ns = 5000;
  late.start_ns = 7500;
  const RankRun run({early, late});
  EXPECT_EQ(run.offset_ns(0), 2500);
  EXPECT_EQ(run.offset_ns(1), 0);
}

TEST(RunTest, MergingGivesTheSameRunInAnyOrder) {
  std::mt19937 random(16);
  std::vector<RankDigest> ranks;
  for (int64_t rank = 0; rank < 12; ++rank) ranks.push_back(rank_with(rank, 100 + 7 * (rank % 5)));
  const RankRun whole(ranks);
  for (int round = 0; round < 50; ++round) {
    std::shuffle(ranks.begin(), ranks.end(), random);
    std::vector<RankRun> parts;
    for (const RankDigest& rank : ranks) parts.emplace_back(std::vector<RankDigest>{rank});
    while (parts.size() > 1) {
      const size_t at = random() % (parts.size() - 1);
      parts[at] = RankRun::merge(std::move(parts[at]), std::move(parts[at + 1]));
      parts.erase(parts.begin() + static_cast<ptrdiff_t>(at) + 1);
    }
    EXPECT_EQ(labels_of(parts.front()), labels_of(whole));
    EXPECT_EQ(parts.front().sentence(), whole.sentence());
  }
}

TEST(RankDigestTest, ATraceThatDoesNotSayItsRankIsCalledByItsPlace) {
  EXPECT_EQ(label_of(*TestTrace().freeze(), "a.json", 4), (RankLabel{4, false, "a.json"}));
  TestTrace named;
  named.info().rank = 7;
  EXPECT_EQ(label_of(*named.freeze(), "a.json", 4), (RankLabel{7, true, "a.json"}));
}

TEST(RankDigestTest, ItHoldsWhatRanksAreComparedBy) {
  TestTrace t;
  t.info().rank = 1;
  t.info().world_size = 2;
  t.info().host_name = "node-1";
  t.info().base_ns = 5000;
  const TrackId main = t.thread("1");
  t.step(1, main, 100, 300).step(2, main, 400, 200);
  t.op("aten::mm", main, 100, 100);
  const RankDigest rank = digest(AnalyzedTrace(t.freeze()), {1, true, "a.json"});
  EXPECT_EQ(rank.host, "node-1");
  EXPECT_EQ(rank.world_size, 2);
  EXPECT_EQ(rank.start_ns, 5100);
  EXPECT_EQ(rank.step_ns, (std::vector<int64_t>{200, 300}));
  EXPECT_EQ(rank.verdict.judged_ns, 500);
  EXPECT_EQ(rank.dropped, 0u);
  EXPECT_FALSE(rank.figures.empty());
}

}  // namespace
}  // namespace skyline::analyze
