#include "analyze/core/analyzed_trace.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

#include "analyze/analyze.h"
#include "analyze/core/activity_view.h"
#include "analyze/core/test_random_training.h"
#include "analyze/core/test_trace.h"
#include "analyze/memory/blocks.h"
#include "analyze/time/op_time.h"
#include "analyze/time/time_parts.h"

namespace skyline::analyze {
namespace {

std::atomic<int> made = 0;

size_t count_slices(const Trace& trace) {
  ++made;
  return trace.slices.size();
}

// Needs another intermediate.
size_t count_twice(const AnalyzedTrace& analyzed) {
  ++made;
  return 2 * analyzed.get<count_slices>();
}

size_t fail_at_first(const Trace&) {
  if (++made == 1) throw std::bad_alloc();
  return 7;
}

struct SliceCount {
  explicit SliceCount(const Trace& trace) : count(trace.slices.size()) { ++made; }
  size_t count;
};

std::unique_ptr<const Trace> two_slices() {
  TestTrace t;
  t.op("aten::mm", t.thread("1"), 0, 10).op("aten::add", t.thread("1"), 20, 10);
  return t.freeze();
}

TEST(AnalyzedTrace, IntermediatesAreMadeOnceWhoeverAsks) {
  made = 0;
  const std::unique_ptr<const Trace> trace = two_slices();
  const AnalyzedTrace analyzed(*trace);
  EXPECT_EQ(analyzed.get<count_twice>(), 4u);
  EXPECT_EQ(analyzed.get<count_slices>(), 2u);
  EXPECT_EQ(made, 2);
  EXPECT_EQ(analyzed.get<SliceCount>().count, 2u);
  EXPECT_EQ(&analyzed.get<SliceCount>(), &analyzed.get<SliceCount>());
  EXPECT_EQ(made, 3);
}

TEST(AnalyzedTrace, IntermediatesOfSameTypeAreToldApart) {
  const std::unique_ptr<const Trace> trace = two_slices();
  const AnalyzedTrace analyzed(*trace);
  EXPECT_EQ(analyzed.get<operator_calls>().size(), 2u);
  EXPECT_NE(&analyzed.get<operator_calls>(), &analyzed.get<operators_around>());
}

TEST(AnalyzedTrace, AfterAnErrorTheNextOneTriesAgain) {
  made = 0;
  const std::unique_ptr<const Trace> trace = two_slices();
  const AnalyzedTrace analyzed(*trace);
  EXPECT_THROW(analyzed.get<fail_at_first>(), std::bad_alloc);
  EXPECT_EQ(analyzed.get<fail_at_first>(), 7u);
  EXPECT_EQ(analyzed.get<fail_at_first>(), 7u);
  EXPECT_EQ(made, 2);
}

TEST(AnalyzedTrace, KeepsTheTraceThatItWasGiven) {
  std::shared_ptr<const Trace> trace = two_slices();
  const std::weak_ptr<const Trace> seen = trace;
  {
    const AnalyzedTrace analyzed(std::move(trace));
    EXPECT_EQ(analyzed.trace().slices.size(), 2u);
  }
  EXPECT_TRUE(seen.expired());
}

TEST(AnalyzedTrace, SeveralThreadsAskAtOnce) {
  for (int round = 0; round < 20; ++round) {
    made = 0;
    const std::unique_ptr<const Trace> trace = two_slices();
    const AnalyzedTrace analyzed(*trace);
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t) {
      threads.emplace_back([&, t] {
        if (t % 2 == 0) {
          EXPECT_EQ(analyzed.get<count_twice>(), 4u);
        }
        EXPECT_EQ(analyzed.get<count_slices>(), 2u);
        EXPECT_EQ(analyzed.get<SliceCount>().count, 2u);
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(made, 3);
  }
}

std::string shown(const Verdict& verdict, const std::vector<Figure>& figures) {
  std::string text = verdict.sentence;
  for (const Figure& figure : figures) {
    if (const auto* number = std::get_if<int64_t>(&figure.value)) text += " " + std::to_string(*number);
  }
  return text;
}

// Everything at once, as a page does that has just been opened.
TEST(AnalyzedTrace, AllAnalysesMayRunAtOnce) {
  const std::unique_ptr<const Trace> trace = random_training(3);
  const AnalyzedTrace alone(*trace), shared(*trace);
  const std::string expected = shown(judge(alone), compute_figures(alone));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const std::span<const TableAnalysis> tables = table_analyses();
      for (size_t i = 0; i < tables.size(); ++i) {
        const TableAnalysis& table = tables[(i + static_cast<size_t>(t)) % tables.size()];
        for (const std::string_view group : table.group_by)
          EXPECT_TRUE(
              compute_table(shared, table.name, {.group_by = std::string(group), .step = {}}, {}).ok());
      }
      EXPECT_EQ(shown(judge(shared), compute_figures(shared)), expected);
      EXPECT_FALSE(find_findings(shared, RuleTopic::kRecording).empty());
      EXPECT_FALSE(make_flame(shared, {.by = FlameBy::kModule}).nodes.empty());
      EXPECT_EQ(shared_breakdown(shared, nullptr), shared_breakdown(shared, nullptr));
      EXPECT_FALSE(shared.get<Timeline>().tracks().empty());
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(AnalyzedTrace, FiguresOfNamedAnalysesAlone) {
  const std::unique_ptr<const Trace> trace = two_slices();
  for (const Figure& figure : compute_figures(AnalyzedTrace(*trace), {"recording", "trace"})) {
    const std::string_view name = figure.def->name;
    EXPECT_TRUE(name.starts_with("trace.") || name.starts_with("recording.")) << name;
  }
}

}  // namespace
}  // namespace skyline::analyze
