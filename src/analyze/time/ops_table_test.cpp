#include "analyze/time/ops_table.h"

#include <gtest/gtest.h>

#include <set>

#include "analyze/core/host_ranges.h"
#include "analyze/core/table_cells.h"
#include "analyze/core/test_random_trace.h"

namespace skyline::analyze {
namespace {

TEST(OpsTable, TotalAndSelfOfHostAndDevice) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.op("aten::linear", main, 0, 100).op("aten::addmm", main, 20, 60).op("aten::relu", main, 200, 30);
  t.launch(main, 30, 5, 1).launch(main, 85, 5, 2).launch(main, 210, 5, 3);
  t.kernel("gemm", t.stream(7), 40, 500, 1)
      .kernel("bias", t.stream(7), 540, 20, 2)
      .kernel("relu", t.stream(7), 560, 7, 3);
  const std::unique_ptr<const Trace> trace = t.freeze();
  const Table table = ops_table(AnalyzedTrace(*trace), {});
  EXPECT_EQ(number(table, "aten::linear", "host_total"), 100);
  EXPECT_EQ(number(table, "aten::linear", "host_self"), 40);
  EXPECT_EQ(number(table, "aten::linear", "device_total"), 520);
  EXPECT_EQ(number(table, "aten::linear", "device_self"), 20);
  EXPECT_EQ(number(table, "aten::addmm", "device_self"), 500);
  EXPECT_EQ(number(table, "aten::addmm", "launches"), 1);
  EXPECT_EQ(number(table, "aten::relu", "kernels"), 1);
  EXPECT_EQ(first_column(table), "aten::addmm aten::linear aten::relu") << "by device self";
}

TEST(OpsTable, RecursionCountsOnce) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.op("aten::to", main, 0, 100)
      .op("aten::copy", main, 10, 80)
      .op("aten::to", main, 20, 50)
      .launch(main, 30, 5, 1);
  t.kernel("copy", t.stream(7), 40, 9, 1);
  const std::unique_ptr<const Trace> trace = t.freeze();
  const Table table = ops_table(AnalyzedTrace(*trace), {});
  EXPECT_EQ(number(table, "aten::to", "calls"), 2);
  EXPECT_EQ(number(table, "aten::to", "host_total"), 100);
  EXPECT_EQ(number(table, "aten::to", "host_self"), 70);
  EXPECT_EQ(number(table, "aten::to", "device_total"), 9);
  EXPECT_EQ(number(table, "aten::copy", "device_total"), 9);
  EXPECT_EQ(number(table, "aten::copy", "device_self"), 0);
}

TEST(OpsTable, BackwardKernelsBelongToTheBackwardOperatorThatLaunchedThem) {
  TestTrace t;
  const TrackId main = t.thread("1"), backward = t.thread("2");
  t.op("aten::mm", main, 0, 10).op("MmBackward0", backward, 50, 30).launch(backward, 60, 5, 1);
  t.kernel("gemm", t.stream(7), 70, 11, 1);
  const std::unique_ptr<const Trace> trace = t.freeze();
  const Table table = ops_table(AnalyzedTrace(*trace), {});
  EXPECT_EQ(number(table, "MmBackward0", "device_self"), 11);
  EXPECT_EQ(number(table, "aten::mm", "device_total"), 0);
}

TEST(OpsTable, WorkWithoutLaunchOrOperatorHasARowOfItsOwn) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.op("aten::mm", main, 0, 10).launch(main, 50, 5, 1);
  t.kernel("loose", t.stream(7), 70, 11, 1).kernel("unlinked", t.stream(7), 90, 4);
  const std::unique_ptr<const Trace> trace = t.freeze();
  const Table table = ops_table(AnalyzedTrace(*trace), {});
  EXPECT_EQ(number(table, kNoOperator, "device_self"), 15);
  EXPECT_EQ(number(table, kNoOperator, "kernels"), 2);
  EXPECT_EQ(number(table, kNoOperator, "launches"), 1);
  EXPECT_TRUE(
      std::holds_alternative<std::monostate>(row_of(table, kNoOperator)[column_index(table, "calls")]));
}

TEST(OpsTable, OneLaunchOfManyKernelsIsOneLaunch) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.op("graph", main, 0, 10).launch(main, 1, 5, 1, 0, "cudaGraphLaunch");
  for (int i = 0; i < 5; ++i) t.kernel("node", t.stream(7), 20 + 10 * i, 10, 1);
  const std::unique_ptr<const Trace> trace = t.freeze();
  const Table table = ops_table(AnalyzedTrace(*trace), {});
  EXPECT_EQ(number(table, "graph", "launches"), 1);
  EXPECT_EQ(number(table, "graph", "kernels"), 5);
}

TEST(OpsTable, GroupedByShapeEachShapeHasARow) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.op("aten::mm", main, 0, 10, "[[2,3],[3,4]]")
      .op("aten::mm", main, 20, 30, "[[8,8],[8,8]]")
      .op("aten::mm", main, 60, 5);
  const std::unique_ptr<const Trace> trace = t.freeze();
  EXPECT_EQ(ops_table(AnalyzedTrace(*trace), {"name", {}}).rows.size(), 1u);
  const Table table = ops_table(AnalyzedTrace(*trace), {"shape", {}});
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(std::get<std::string>(table.rows[0][1]), "[[8,8],[8,8]]") << "by host self, without device work";
}

TEST(OpsTable, StepTakesHostEventsThatStartInsideAndWhatTheyLaunched) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.step(1, main, 0, 100).step(2, main, 100, 100);
  t.op("aten::mm", main, 10, 20).launch(main, 15, 5, 1).kernel("late", t.stream(7), 150, 30, 1);
  t.op("aten::add", main, 100, 20).launch(main, 110, 5, 2).kernel("add", t.stream(7), 180, 3, 2);
  t.kernel("unlinked", t.stream(7), 190, 1);
  const std::unique_ptr<const Trace> trace = t.freeze();
  const Table first = ops_table(AnalyzedTrace(*trace), {"name", 1}),
              second = ops_table(AnalyzedTrace(*trace), {"name", 2});
  EXPECT_EQ(first_column(first), "aten::mm");
  EXPECT_EQ(number(first, "aten::mm", "device_self"), 30);
  EXPECT_EQ(first_column(second), "aten::add");
  EXPECT_EQ(sum(second, "device_self"), 3);
}

// Slow and obvious: the durations of the activities that have an operator of this name around their launch.
int64_t slow_device_total(const Trace& trace, std::string_view name) {
  int64_t total = 0;
  for (uint32_t a = 0; a < trace.activities.size(); ++a) {
    bool found = false;
    for (SliceId up = trace.activities.launch[a]; up.exists(); up = trace.slices.parent[up.value]) {
      found |= trace.category(up) == Category::kCpuOp && trace.slice_name(up) == name;
    }
    if (found) total += trace.slices.dur_ns[trace.activities.slice[a].value];
  }
  return total;
}

int64_t slow_host_total(const Trace& trace, std::string_view name) {
  int64_t total = 0;
  std::set<std::pair<uint32_t, int64_t>> moments;  // thread, nanosecond
  for (const SliceId slice : trace.ops.slice) {
    if (trace.category(slice) != Category::kCpuOp || (!name.empty() && trace.slice_name(slice) != name))
      continue;
    for (int64_t now = trace.slices.start_ns[slice.value]; now < trace.slices.end_ns(slice); ++now) {
      total += moments.insert({trace.slices.track[slice.value].value, now}).second;
    }
  }
  return total;
}

TEST(OpsTable, ColumnsAddUpExactlyInAnyTrace) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const std::unique_ptr<const Trace> trace = random_trace(seed);
    int64_t activities = 0;
    for (const SliceId slice : trace->activities.slice) activities += trace->slices.dur_ns[slice.value];
    for (const std::string group : {"name", "shape"}) {
      const Table table = ops_table(AnalyzedTrace(*trace), {group, {}});
      EXPECT_EQ(sum(table, "host_self"), slow_host_total(*trace, "")) << seed;
      EXPECT_EQ(sum(table, "device_self"), activities) << seed;
      EXPECT_EQ(sum(table, "kernels"), static_cast<int64_t>(trace->activities.size())) << seed;
    }
  }
}

TEST(OpsTable, TotalsAgreeWithSlowCountingInAnyTrace) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const std::unique_ptr<const Trace> trace = random_trace(seed);
    const Table table = ops_table(AnalyzedTrace(*trace), {"name", {}});
    for (const std::vector<Cell>& row : table.rows) {
      const std::string& name = std::get<std::string>(row.front());
      if (name == kNoOperator) continue;
      EXPECT_EQ(number(table, row, "host_total"), slow_host_total(*trace, name)) << seed;
      EXPECT_EQ(number(table, row, "device_total"), slow_device_total(*trace, name)) << seed;
      EXPECT_GE(number(table, row, "host_total"), number(table, row, "host_self"));
      EXPECT_GE(number(table, row, "device_total"), number(table, row, "device_self"));
    }
  }
}

TEST(OpsTable, StepsTogetherHaveNoMoreThanTheWhole) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const std::unique_ptr<const Trace> trace = random_trace(seed);
    int64_t kernels = 0;
    for (const Step& step : trace->steps)
      kernels += sum(ops_table(AnalyzedTrace(*trace), {"name", step.number}), "kernels");
    EXPECT_LE(kernels, sum(ops_table(AnalyzedTrace(*trace), {"name", {}}), "kernels"));
  }
}

}  // namespace
}  // namespace skyline::analyze
