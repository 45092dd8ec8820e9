// A hostile file nests a hundred thousand calls and launches from the bottom. Whatever walks up from
// there call by call would take hours.
#include <gtest/gtest.h>

#include "analyze/analyze.h"
#include "analyze/core/table_cells.h"
#include "analyze/core/test_trace.h"

namespace skyline::analyze {
namespace {

TEST(DeepNesting, EveryTableAndCheckStaysLinear) {
  constexpr int kDepth = 100'000;
  TestTrace t;
  const TrackId main = t.thread("1");
  for (int i = 0; i < kDepth; ++i) {
    t.op(i % 2 ? "ProfilerStep#x" : "aten::a" + std::to_string(i % 100), main, i, 10 * kDepth - 2 * i)
        .external_id(i + 1);
    t.python("f", main, i, 10 * kDepth - 2 * i);
  }
  for (int i = 0; i < kDepth; ++i) {
    const auto correlation = static_cast<uint64_t>(i) + 1;
    t.launch(main, kDepth + i, 1, correlation, correlation + 1)
        .kernel("k", t.stream(7), kDepth + i, 1, correlation);
  }
  const std::unique_ptr<const Trace> trace = t.freeze();
  for (const TableAnalysis& analysis : table_analyses()) {
    for (const std::string_view group : analysis.group_by) {
      ASSERT_TRUE(compute_table(AnalyzedTrace(*trace), analysis.name, {std::string(group), {}}, {}).ok());
    }
  }
  for (const FlameBy by : {FlameBy::kStack, FlameBy::kModule})
    EXPECT_LT(make_flame(AnalyzedTrace(*trace), {.by = by}).nodes.size(), 100'000u);
  EXPECT_FALSE(judge(AnalyzedTrace(*trace)).sentence.empty());
  EXPECT_FALSE(find_findings(AnalyzedTrace(*trace), RuleTopic::kRecording).empty());
  const Result<Table> ops = compute_table(AnalyzedTrace(*trace), "ops", {}, {});
  EXPECT_EQ(number(ops.value(), "aten::a0", "device_total"), kDepth);
}

}  // namespace
}  // namespace skyline::analyze
