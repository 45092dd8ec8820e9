#include "analyze/places/syncs_table.h"

#include <gtest/gtest.h>

#include "analyze/core/table_cells.h"
#include "analyze/core/test_trace.h"

namespace skyline::analyze {
namespace {

// Two .item() in one line of the program, one of which the producer tells more about; a wait of a stream,
// whose call is in no operator; a call that waits without either.
std::unique_ptr<const Trace> four_waits() {
  TestTrace t;
  const TrackId main = t.thread("1");
  const StackId line = t.stack(StackId(), "/home/me/train.py", "train", 12);
  t.step(1, main, 0, 500).step(2, main, 500, 500);
  t.op("aten::item", main, 10, 90).called_from(line).launch(main, 20, 60, 1, 0, "cudaStreamSynchronize");
  t.op("aten::item", main, 110, 90).called_from(line).launch(main, 120, 50, 2, 0, "cudaStreamSynchronize");
  t.launch(main, 300, 5, 3, 0, "cudaStreamWaitEvent");
  t.launch(main, 600, 30, 4, 0, "cudaDeviceSynchronize");
  t.launch(main, 700, 5, 5);
  t.sync("Stream Sync", t.stream(7), 21, 58, 1).sync("Stream Wait Event", t.stream(7), 310, 20, 3);
  t.other(Category::kCudaEvent, "cuda_event_record", t.stream(7), 400, 1);
  return t.freeze();
}

TEST(SyncsTable, TellsEveryWaitOnceWithWhoAskedForIt) {
  const std::unique_ptr<const Trace> trace = four_waits();
  const Table table = syncs_table(AnalyzedTrace(*trace), {});
  EXPECT_EQ(first_column(table), "Stream Sync cudaStreamSynchronize cudaDeviceSynchronize Stream Wait Event");
  EXPECT_EQ(number(table, "Stream Sync", "total"), 58) << "as the device tells it, not the call's 60";
  EXPECT_EQ(number(table, "cudaStreamSynchronize", "calls"), 1) << "the other one is the Stream Sync";
  EXPECT_EQ(text(table, "Stream Sync", "op"), "aten::item");
  EXPECT_EQ(text(table, "Stream Sync", "line"), "/home/me/train.py:12");
  EXPECT_EQ(text(table, "Stream Wait Event", "op"), "(no operator)");
  EXPECT_EQ(text(table, "Stream Wait Event", "line"), "(not known)");
}

TEST(SyncsTable, GroupedByLineTheWaitsOfALineAddUp) {
  const std::unique_ptr<const Trace> trace = four_waits();
  const Table table = syncs_table(AnalyzedTrace(*trace), {.group_by = "line"});
  EXPECT_EQ(first_column(table), "/home/me/train.py:12 (not known)");
  EXPECT_EQ(number(table, "/home/me/train.py:12", "calls"), 2);
  EXPECT_EQ(number(table, "/home/me/train.py:12", "total"), 108);
  EXPECT_EQ(number(table, "/home/me/train.py:12", "mean"), 54);
  EXPECT_EQ(number(table, "/home/me/train.py:12", "max"), 58);
  EXPECT_EQ(text(table, "/home/me/train.py:12", "kind"), "Stream Sync") << "58 of 108";
}

TEST(SyncsTable, OfAStepOnlyItsWaitsCount) {
  const std::unique_ptr<const Trace> trace = four_waits();
  EXPECT_EQ(first_column(syncs_table(AnalyzedTrace(*trace), {.step = 2})), "cudaDeviceSynchronize");
}

TEST(SyncsTable, WithoutWaitsThereAreNoRows) {
  TestTrace t;
  t.op("aten::mm", t.thread("1"), 0, 10);
  const std::unique_ptr<const Trace> trace = t.freeze();
  EXPECT_TRUE(syncs_table(AnalyzedTrace(*trace), {}).rows.empty());
}

}  // namespace
}  // namespace skyline::analyze
