#include "analyze/time/steps_table.h"

#include <gtest/gtest.h>

#include "analyze/core/table_cells.h"
#include "analyze/core/test_random_trace.h"

namespace skyline::analyze {
namespace {

TEST(StepsTable, PartsAreTakenInOrderOfPriority) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.step(4, main, 1000, 100).annotation("enumerate(DataLoader)#Iter.__next__", main, 1000, 30);
  t.launch(main, 1040, 2, 1).kernel("gemm", t.stream(7), 1020, 20, 1);  // hides 10 of the fetch
  t.kernel("ncclKernel", t.stream(20), 1030, 25);                       // 15 exposed
  t.activity(Category::kMemcpy, "Memcpy", t.stream(21), 1050, 15);      // 10 exposed
  const std::unique_ptr<const Trace> trace = t.freeze();
  const Table table = steps_table(AnalyzedTrace(*trace), {});
  ASSERT_EQ(table.rows.size(), 1u);
  const std::vector<Cell>& row = table.rows[0];
  EXPECT_EQ(number(table, row, "step"), 4);
  EXPECT_EQ(number(table, row, "start"), 0);
  EXPECT_EQ(number(table, row, "duration"), 100);
  EXPECT_EQ(number(table, row, "device_busy"), 45);
  EXPECT_EQ(number(table, row, "device_compute"), 20);
  EXPECT_EQ(number(table, row, "communication"), 15);
  EXPECT_EQ(number(table, row, "copy"), 10);
  EXPECT_EQ(number(table, row, "input"), 20);
  EXPECT_EQ(number(table, row, "host"), 35);
  EXPECT_EQ(number(table, row, "kernels"), 1);
}

TEST(StepsTable, DeviceWorkCountsWhereItRunsAndKernelsWhereTheyWereLaunched) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.step(1, main, 0, 100)
      .step(2, main, 100, 100)
      .launch(main, 90, 5, 1)
      .kernel("gemm", t.stream(7), 95, 50, 1);
  const std::unique_ptr<const Trace> trace = t.freeze();
  const Table table = steps_table(AnalyzedTrace(*trace), {});
  EXPECT_EQ(number(table, table.rows[0], "device_compute"), 5);
  EXPECT_EQ(number(table, table.rows[1], "device_compute"), 45);
  EXPECT_EQ(number(table, table.rows[0], "kernels"), 1);
  EXPECT_EQ(number(table, table.rows[1], "kernels"), 0);
}

TEST(StepsTable, GlooOnItsOwnThreadIsHostCommunicationWhileNoOperatorWorks) {
  TestTrace t;
  const TrackId main = t.thread("1"), gloo = t.thread("9");
  t.step(1, main, 0, 100).annotation("gloo:all_reduce", gloo, 10, 60).op("aten::mm", main, 20, 10);
  const std::unique_ptr<const Trace> trace = t.freeze();
  const Table table = steps_table(AnalyzedTrace(*trace), {});
  EXPECT_EQ(number(table, table.rows[0], "host_communication"), 50);
  EXPECT_EQ(number(table, table.rows[0], "host"), 50);
}

TEST(StepsTable, FetchesOfOtherThreadsAreNotWaitedFor) {
  TestTrace t;
  t.step(1, t.thread("1"), 0, 100).annotation("enumerate(DataLoader)#Iter.__next__", t.thread("2"), 0, 90);
  const std::unique_ptr<const Trace> trace = t.freeze();
  const Table table = steps_table(AnalyzedTrace(*trace), {});
  EXPECT_EQ(number(table, table.rows[0], "input"), 0);
}

TEST(StepsTable, OneStepCanBeChosen) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.step(1, main, 0, 100).step(2, main, 100, 50);
  const std::unique_ptr<const Trace> trace = t.freeze();
  const Table table = steps_table(AnalyzedTrace(*trace), {"step", 2});
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(number(table, table.rows[0], "duration"), 50);
}

TEST(StepsTable, PartsAddUpToTheDurationInAnyTrace) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const std::unique_ptr<const Trace> trace = random_trace(seed);
    const Table table = steps_table(AnalyzedTrace(*trace), {});
    for (const std::vector<Cell>& row : table.rows) {
      int64_t parts = 0;
      for (const std::string_view part :
           {"device_compute", "communication", "copy", "input", "host_communication", "host"}) {
        EXPECT_GE(number(table, row, part), 0) << seed;
        parts += number(table, row, part);
      }
      EXPECT_EQ(parts, number(table, row, "duration")) << seed;
    }
  }
}

}  // namespace
}  // namespace skyline::analyze
