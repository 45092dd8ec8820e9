#include "analyze/core/op_memory.h"

#include <gtest/gtest.h>

#include "analyze/core/table_cells.h"
#include "analyze/core/test_trace.h"
#include "analyze/time/op_time.h"
#include "analyze/time/ops_table.h"

namespace skyline::analyze {
namespace {

constexpr int32_t kCpu = 0, kCuda = 1;

// A linear that keeps 40 bytes and gives back 8 that it took, a release on another thread, and one outside.
std::unique_ptr<const Trace> trace_with_memory() {
  TestTrace t;
  const TrackId main = t.thread("1"), other = t.thread("2");
  t.annotation("forward", main, 0, 200);
  t.op("aten::linear", main, 10, 100).op("aten::addmm", main, 20, 60).op("aten::mul", other, 0, 100);
  t.memory(main, 15, 8, kCpu)
      .memory(main, 20, 40, kCpu)
      .memory(main, 80, 100, kCuda)
      .memory(main, 90, -8, kCpu);
  t.memory(other, 50, -16, kCpu).memory(main, 150, 4, kCpu).memory(main, 300, 2, kCpu);
  return t.freeze();
}

TEST(OpsMemory, TotalsHoldWhatOperatorsInsideDid) {
  const std::unique_ptr<const Trace> trace = trace_with_memory();
  const Table table = ops_table(AnalyzedTrace(*trace), {});
  EXPECT_EQ(number(table, "aten::linear", "host_memory_total"), 40);
  EXPECT_EQ(number(table, "aten::linear", "host_memory_self"), 0);
  EXPECT_EQ(number(table, "aten::linear", "memory_events"), 2);
  EXPECT_EQ(number(table, "aten::addmm", "host_memory_self"), 40);
  EXPECT_EQ(number(table, "aten::linear", "device_memory_total"), 100);
  EXPECT_EQ(number(table, "aten::addmm", "device_memory_self"), 100) << "a call's last moment is its own";
  EXPECT_EQ(number(table, "aten::mul", "host_memory_total"), -16) << "of its own thread only";
  EXPECT_EQ(number(table, kNoOperator, "host_memory_self"), 6);
  EXPECT_EQ(sum(table, "host_memory_self"), 8 + 40 - 8 - 16 + 4 + 2);
}

TEST(OpsMemory, WithoutMemoryEventsThereAreNoColumnsOfIt) {
  TestTrace t;
  t.op("aten::mm", t.thread("1"), 0, 10);
  const std::unique_ptr<const Trace> trace = t.freeze();
  for (const ColumnDef& column : ops_table(AnalyzedTrace(*trace), {}).columns) {
    EXPECT_EQ(column.name.find("memory"), std::string_view::npos) << column.name;
  }
}

TEST(OpsMemory, RecursionCountsOnce) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.op("aten::to", main, 0, 100).op("aten::to", main, 10, 50).memory(main, 20, 64, kCpu);
  const std::unique_ptr<const Trace> trace = t.freeze();
  EXPECT_EQ(number(ops_table(AnalyzedTrace(*trace), {}), "aten::to", "host_memory_total"), 64);
}

TEST(OpsRanges, AreRowsThatHoldWhatIsInsideThem) {
  const std::unique_ptr<const Trace> trace = trace_with_memory();
  const Table table = ops_table(AnalyzedTrace(*trace), {.group_by = "", .step = {}, .ranges = true});
  EXPECT_EQ(text(table, "forward", "kind"), "range");
  EXPECT_EQ(text(table, "aten::linear", "kind"), "operator");
  EXPECT_EQ(number(table, "forward", "host_total"), 200);
  EXPECT_EQ(number(table, "forward", "host_self"), 100);
  EXPECT_EQ(number(table, "forward", "host_memory_total"), 44);
  EXPECT_EQ(number(table, "forward", "host_memory_self"), 4);
  EXPECT_EQ(number(table, "aten::linear", "host_memory_total"), 40);
}

TEST(OpsRanges, ACallThatOnlyHandsOnIsOneCall) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.op("aten::mean", main, 0, 100).op("aten::mean", main, 10, 50).op("aten::sum", main, 20, 10);
  t.op("aten::div", main, 40, 10);
  t.op("aten::to", main, 200, 100).op("aten::to", main, 210, 20).op("aten::to", main, 240, 20);
  const std::unique_ptr<const Trace> trace = t.freeze();
  const Table table = ops_table(AnalyzedTrace(*trace), {.group_by = "", .step = {}, .ranges = true});
  EXPECT_EQ(number(table, "aten::mean", "calls"), 1);
  EXPECT_EQ(number(table, "aten::mean", "host_self"), 80);
  EXPECT_EQ(number(table, "aten::to", "calls"), 3) << "two inside are calls of their own";
  EXPECT_EQ(number(ops_table(AnalyzedTrace(*trace), {}), "aten::mean", "calls"), 2);
}

TEST(OpsRanges, StepsAreOneRowAndOurOwnMarksNone) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.step(3, main, 0, 10).step(4, main, 10, 10).annotation("Skyline.samples#8", main, 5, 0);
  const std::unique_ptr<const Trace> trace = t.freeze();
  const Table table = ops_table(AnalyzedTrace(*trace), {.group_by = "", .step = {}, .ranges = true});
  EXPECT_EQ(first_column(table), "ProfilerStep*");
  EXPECT_EQ(number(table, "ProfilerStep*", "calls"), 2);
}

}  // namespace
}  // namespace skyline::analyze
