#include "serve/served/opened_run.h"

#include <gtest/gtest.h>

#include <future>

#include "ingest/ingest.h"
#include "serve/methods/test_context.h"

namespace skyline::serve {
namespace {

using ReadResult = Result<std::shared_ptr<const Trace>>;

class OpenedRunTest : public testing::Test {
 protected:
  void add(const std::string& id, int64_t rank) {
    traces_.put_unread(id, id + ".json",
                       [rank](const MemoryBudget&) -> ReadResult { return TestContext::make(rank); });
  }

  // Asks, and waits until nothing is pending.
  protocol::Run ask_all(OpenedRun& run) {
    std::promise<void> done;
    run.on_change([&] {
      if (run.now().pending == 0) done.set_value();
    });
    if (run.ask().pending > 0) done.get_future().wait();
    run.on_change({});
    return run.now();
  }

  // Room for one small trace among those that are held.
  OpenedTraces traces_ = OpenedTraces({ingest::held_bytes(*TestContext::make()) * 3, "the test", true});
};

TEST_F(OpenedRunTest, AnswersAtOnceAndReadsTheRestInTheBackground) {
  std::promise<void> go;
  add("0", 0);
  traces_.put_unread("1", "slow.json", [&](const MemoryBudget&) -> ReadResult {
    go.get_future().wait();
    return TestContext::make(1);
  });
  OpenedRun run(traces_);
  EXPECT_EQ(run.now().pending, 2);
  EXPECT_FALSE(traces_.summary("0").is_read);  // nobody has asked
  const protocol::Run first = run.ask();
  EXPECT_GE(first.pending, 1);
  ASSERT_EQ(first.ranks.size(), 2u);
  EXPECT_EQ(first.ranks.back().trace, "1");
  EXPECT_FALSE(first.ranks.back().is_known);
  go.set_value();
  const protocol::Run all = ask_all(run);
  EXPECT_TRUE(all.is_one_run);
  EXPECT_TRUE(all.sentence.starts_with("Of 2 ranks, rank ")) << all.sentence;
}

TEST_F(OpenedRunTest, DigestsStayWhenTheirTracesAreLetGoOf) {
  for (const int64_t rank : {2, 0, 1}) add("of " + std::to_string(rank), rank);
  OpenedRun run(traces_);
  const protocol::Run all = ask_all(run);
  size_t held = 0;
  for (const protocol::TraceSummary& each : traces_.summaries()) held += each.is_held ? 1 : 0;
  EXPECT_LE(held, 1u);
  ASSERT_EQ(all.ranks.size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    const protocol::RunRank& rank = all.ranks[i];
    EXPECT_EQ(rank.rank, static_cast<int64_t>(i));
    EXPECT_EQ(rank.trace, "of " + std::to_string(i));
    EXPECT_EQ(rank.name, rank.trace + ".json");
    EXPECT_TRUE(rank.is_known);
    EXPECT_EQ(rank.steps, 1);
    EXPECT_EQ(rank.median_step_ns, 100'000);
    EXPECT_FALSE(rank.verdict.parts.empty());
  }
  EXPECT_EQ(all.by_need.size(), 3u);
}

TEST_F(OpenedRunTest, WhatCannotBeReadSaysWhyAndTheOthersAreCompared) {
  bool is_there = false;
  add("0", 0);
  traces_.put_unread("1", "bad.json", [&](const MemoryBudget&) -> ReadResult {
    if (!is_there) return Error{"bad.json is no trace; name one that is"};
    return TestContext::make(1);
  });
  add("2", 2);
  OpenedRun run(traces_);
  const protocol::Run some = ask_all(run);
  EXPECT_TRUE(some.sentence.starts_with("Of 2 ranks")) << some.sentence;
  EXPECT_EQ(some.ranks.back().error, "bad.json is no trace; name one that is");
  EXPECT_FALSE(some.ranks.back().is_known);

  is_there = true;
  ASSERT_TRUE(traces_.find("1").ok());
  EXPECT_TRUE(ask_all(run).sentence.starts_with("Of 3 ranks"));
}

TEST_F(OpenedRunTest, ThePageIsToldWhereThereIsNothingToCompare) {
  TestContext context;
  EXPECT_TRUE(contains(context.ask("run"), "are not compared"));
  EXPECT_TRUE(contains(context.ask("open_trace"), R"("is_read": true)"));
}

}  // namespace
}  // namespace skyline::serve
