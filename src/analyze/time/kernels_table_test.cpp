#include "analyze/time/kernels_table.h"

#include <gtest/gtest.h>

#include "analyze/core/table_cells.h"
#include "analyze/core/test_random_trace.h"
#include "analyze/time/ops_table.h"

namespace skyline::analyze {
namespace {

// gemm: twice, for linear (30 and 40) and once for mm (50); nccl: once, unlinked; a copy outside operators.
std::unique_ptr<const Trace> five_activities() {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.op("aten::linear", main, 0, 10).launch(main, 1, 1, 1).launch(main, 3, 1, 2);
  t.op("aten::mm", main, 20, 10).launch(main, 21, 1, 3).launch(main, 40, 1, 4);
  t.kernel("gemm", t.stream(7), 100, 30, 1)
      .kernel("gemm", t.stream(7), 130, 40, 2)
      .kernel("gemm", t.stream(20), 170, 50, 3);
  t.kernel("ncclKernel", t.stream(20), 300, 9)
      .activity(Category::kMemcpy, "Memcpy HtoD", t.stream(7), 400, 5, 4);
  return t.freeze();
}

TEST(KernelsTable, GroupedByNameItTellsCallsTimesAndOrigin) {
  const Table table = kernels_table(AnalyzedTrace(*five_activities()), {});
  EXPECT_EQ(first_column(table), "gemm ncclKernel Memcpy HtoD");
  EXPECT_EQ(number(table, "gemm", "calls"), 3);
  EXPECT_EQ(number(table, "gemm", "total"), 120);
  EXPECT_EQ(number(table, "gemm", "mean"), 40);
  EXPECT_EQ(number(table, "gemm", "min"), 30);
  EXPECT_EQ(number(table, "gemm", "max"), 50);
  EXPECT_EQ(text(table, "gemm", "class"), "compute");
  EXPECT_EQ(text(table, "gemm", "op"), "aten::linear") << "70 of 120";
  EXPECT_EQ(text(table, "gemm", "stream"), "device 0 stream 7");
  EXPECT_EQ(number(table, "gemm", "unlinked"), 0);
}

TEST(KernelsTable, UnlinkedKernelsAreMarkedAndHaveNoOperator) {
  const Table table = kernels_table(AnalyzedTrace(*five_activities()), {});
  EXPECT_EQ(number(table, "ncclKernel", "unlinked"), 1);
  EXPECT_EQ(text(table, "ncclKernel", "op"), kNoOperator);
  EXPECT_EQ(number(table, "Memcpy HtoD", "unlinked"), 0);
  EXPECT_EQ(text(table, "Memcpy HtoD", "op"), kNoOperator);
}

TEST(KernelsTable, TheGroupingColumnComesFirst) {
  const std::unique_ptr<const Trace> trace = five_activities();
  EXPECT_EQ(first_column(kernels_table(AnalyzedTrace(*trace), {"op", {}})),
            "aten::linear aten::mm (no operator)");
  EXPECT_EQ(first_column(kernels_table(AnalyzedTrace(*trace), {"stream", {}})),
            "device 0 stream 7 device 0 stream 20");
  EXPECT_EQ(first_column(kernels_table(AnalyzedTrace(*trace), {"class", {}})), "compute communication copy");
}

TEST(KernelsTable, MeanIsRoundedToTheNearestNanosecond) {
  TestTrace t;
  t.kernel("k", t.stream(7), 0, 1).kernel("k", t.stream(7), 10, 2);
  EXPECT_EQ(number(kernels_table(AnalyzedTrace(*t.freeze()), {}), "k", "mean"), 2);
}

TEST(KernelsTable, EqualTotalsAreOrderedByName) {
  TestTrace t;
  t.kernel("b", t.stream(7), 0, 5).kernel("a", t.stream(7), 10, 5).kernel("c", t.stream(7), 20, 6);
  EXPECT_EQ(first_column(kernels_table(AnalyzedTrace(*t.freeze()), {})), "c a b");
}

TEST(KernelsTable, StreamsWithoutNumbersAreNamedByTheirRow) {
  TestTrace t;
  t.kernel("k", t.thread("queue 3", "npu"), 0, 5);
  EXPECT_EQ(text(kernels_table(AnalyzedTrace(*t.freeze()), {}), "k", "stream"), "npu queue 3");
}

TEST(KernelsTable, EveryGroupingAddsUpToAllActivities) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const std::unique_ptr<const Trace> trace = random_trace(seed);
    int64_t all = 0;
    for (const SliceId slice : trace->activities.slice) all += trace->slices.dur_ns[slice.value];
    for (const std::string_view group : kKernelsGroups) {
      const Table table = kernels_table(AnalyzedTrace(*trace), {std::string(group), {}});
      EXPECT_EQ(sum(table, "total"), all);
      EXPECT_EQ(sum(table, "calls"), static_cast<int64_t>(trace->activities.size()));
    }
  }
}

TEST(KernelsTable, GroupedByOperatorItAgreesWithTheOperatorTable) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const std::unique_ptr<const Trace> trace = random_trace(seed);
    const Table kernels = kernels_table(AnalyzedTrace(*trace), {"op", {}}),
                ops = ops_table(AnalyzedTrace(*trace), {});
    for (const std::vector<Cell>& row : kernels.rows) {
      const std::string& op = std::get<std::string>(row.front());
      EXPECT_EQ(number(kernels, row, "total"), number(ops, op, "device_self")) << seed << " " << op;
    }
  }
}

}  // namespace
}  // namespace skyline::analyze
