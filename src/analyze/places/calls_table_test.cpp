#include "analyze/places/calls_table.h"

#include <gtest/gtest.h>

#include "analyze/core/table_cells.h"
#include "analyze/core/test_trace.h"
#include "analyze/places/stacks_table.h"
#include "analyze/time/ops_table.h"

namespace skyline::analyze {
namespace {

const std::vector<Cell>& row_named(const Table& table, std::string_view name) {
  for (const std::vector<Cell>& row : table.rows) {
    if (std::get<std::string>(row[column_index(table, "name")]) == name) return row;
  }
  ADD_FAILURE() << name;
  return table.rows.front();
}

std::string text_in(const Table& table, std::string_view name, std::string_view column) {
  return std::get<std::string>(row_named(table, name)[column_index(table, column)]);
}

std::unique_ptr<const Trace> small_trace() {
  TestTrace t;
  const TrackId main = t.thread("7");
  t.python("train.py(3): main", main, 0, 500).python("net.py(9): forward", main, 5, 200);
  t.annotation("note", main, 10, 90);
  t.op("aten::linear", main, 20, 50, "[[2,3]]").gradient(4, 0).op("aten::addmm", main, 30, 10);
  t.op("aten::add", main, 300, 20).op("aten::mul", t.thread("8"), 40, 10);
  t.memory(main, 35, 64, 0).memory(main, 60, 8, 0);
  t.launch(main, 32, 2, 1).kernel("gemm", t.stream(7), 100, 1000, 1);
  return t.freeze();
}

TEST(CallsTable, HasOneRowPerCallWithItsPlaceInTheTree) {
  const std::unique_ptr<const Trace> trace = small_trace();
  const Table table = calls_table(AnalyzedTrace(*trace), {});
  ASSERT_EQ(table.rows.size(), 4u);
  const std::vector<Cell>& addmm = row_named(table, "aten::addmm");
  EXPECT_EQ(number(table, addmm, "parent"), number(table, row_named(table, "aten::linear"), "call"));
  EXPECT_EQ(number(table, addmm, "start"), 30);
  EXPECT_EQ(number(table, addmm, "duration"), 10);
  const std::vector<Cell>& linear = row_named(table, "aten::linear");
  EXPECT_EQ(number(table, linear, "host_self"), 40);
  EXPECT_EQ(number(table, linear, "sequence"), 4);
  EXPECT_EQ(number(table, linear, "host_memory_total"), 72);
  EXPECT_EQ(number(table, linear, "host_memory_self"), 8);
  EXPECT_EQ(linear[column_index(table, "parent")], Cell());
  EXPECT_EQ(text_in(table, "aten::linear", "thread"), "7");
  EXPECT_EQ(text_in(table, "aten::linear", "input_shapes"), "[[2,3]]");
  const Table stacks = stacks_table(AnalyzedTrace(*trace), {});
  EXPECT_EQ(number(table, addmm, "stack"), number(stacks, "train.py(3): main;net.py(9): forward", "number"));
  EXPECT_EQ(row_named(table, "aten::mul")[column_index(table, "stack")], Cell());
}

TEST(CallsTable, RangesCountIfAskedFor) {
  const std::unique_ptr<const Trace> trace = small_trace();
  const Table table = calls_table(AnalyzedTrace(*trace), {.group_by = "", .step = {}, .ranges = true});
  EXPECT_EQ(text_in(table, "note", "kind"), "range");
  EXPECT_EQ(number(table, row_named(table, "aten::linear"), "parent"),
            number(table, row_named(table, "note"), "call"));
}

TEST(StacksTable, AddsUpWhatOperatorsOfOneStackTake) {
  const std::unique_ptr<const Trace> trace = small_trace();
  const Table table = stacks_table(AnalyzedTrace(*trace), {});
  const std::string forward = "train.py(3): main;net.py(9): forward";
  EXPECT_EQ(number(table, forward, "calls"), 2);
  EXPECT_EQ(number(table, forward, "host_self"), 50);
  EXPECT_EQ(number(table, forward, "device_self"), 1000);
  EXPECT_EQ(number(table, "train.py(3): main", "host_self"), 20);
  EXPECT_EQ(number(table, kNoStackText, "host_self"), 10);
}

TEST(StacksTable, StepHasTheDeviceTimeOfItsOperators) {
  TestTrace t;
  const TrackId main = t.thread("1"), other = t.thread("2");
  t.step(1, main, 0, 100).step(2, main, 100, 100);
  t.op("aten::mm", other, 90, 30).launch(other, 95, 2, 1).launch(other, 110, 2, 2);
  t.kernel("first", t.stream(7), 120, 30, 1).kernel("after the step", t.stream(7), 150, 4, 2);
  const std::unique_ptr<const Trace> trace = t.freeze();
  const Table stacks = stacks_table(AnalyzedTrace(*trace), {"", 1}),
              ops = ops_table(AnalyzedTrace(*trace), {"name", 1});
  EXPECT_EQ(number(ops, "aten::mm", "device_self"), 30);
  EXPECT_EQ(sum(stacks, "device_self"), 30);
}

}  // namespace
}  // namespace skyline::analyze
