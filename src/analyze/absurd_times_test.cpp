// Files may hold any number that fits: nothing may overflow, whatever the figures then are. The
// sanitizer build is the judge.
#include <gtest/gtest.h>

#include <algorithm>

#include "analyze/analyze.h"
#include "analyze/core/test_trace.h"

namespace skyline::analyze {
namespace {

constexpr int64_t kLargest = (int64_t{1} << 62) - 1;  // what readers accept

TEST(AbsurdTimes, CenturiesOfWorkDoNotOverflow) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.step(1, main, -kLargest, kLargest).step(2, main, 0, kLargest).step(3, main, kLargest, kLargest);
  for (int64_t start : {-kLargest, int64_t{0}, kLargest}) {
    for (uint64_t i = 0; i < 3; ++i) {
      t.op("aten::mm", main, start, kLargest)
          .launch(main, start, kLargest, i)
          .kernel("gemm", t.stream(7), -start, kLargest, i);
      t.kernel("ncclKernel", t.stream(20), start, kLargest)
          .annotation("gloo:all_reduce", t.thread("2"), start, kLargest);
    }
  }
  const std::unique_ptr<const Trace> trace = t.freeze();
  EXPECT_FALSE(compute_figures(AnalyzedTrace(*trace)).empty());
  EXPECT_FALSE(judge(AnalyzedTrace(*trace)).sentence.empty());
  EXPECT_FALSE(find_findings(AnalyzedTrace(*trace), RuleTopic::kRecording).empty());
  for (const TableAnalysis& analysis : table_analyses()) {
    for (const std::string_view group : analysis.group_by) {
      EXPECT_TRUE(compute_table(AnalyzedTrace(*trace), analysis.name, {std::string(group), {}}, {}).ok());
    }
  }
}

TEST(AbsurdTimes, AMeanIsNotBelowTheMinimumThoughItsSumIsTooLarge) {
  TestTrace t;
  for (int i = 0; i < 4; ++i) t.kernel("gemm", t.stream(7), i, kLargest - i);
  const std::unique_ptr<const Trace> trace = t.freeze();
  const Result<Table> table = compute_table(AnalyzedTrace(*trace), "kernels", {"name", {}}, {});
  ASSERT_EQ(table.value().rows.size(), 1u);
  const auto cell = [&](std::string_view name) {
    const std::vector<ColumnDef>& columns = table.value().columns;
    const auto column = std::find_if(columns.begin(), columns.end(),
                                     [&](const ColumnDef& each) { return each.name == name; });
    return std::get<int64_t>(table.value().rows[0][static_cast<size_t>(column - columns.begin())]);
  };
  EXPECT_EQ(cell("total"), INT64_MAX);
  EXPECT_EQ(cell("mean"), kLargest - 1);
  EXPECT_GE(cell("mean"), cell("min"));
  EXPECT_GT(trace->losses[Loss::kSumTooLarge].count, 0u);
}

}  // namespace
}  // namespace skyline::analyze
