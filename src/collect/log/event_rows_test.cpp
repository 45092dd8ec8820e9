#include "collect/log/event_rows.h"

#include <gtest/gtest.h>

#include "collect/log/test_recording.h"
#include "collect/tables/ids.h"

namespace skyline::collect {
namespace {

namespace table = skyline::tracefile;

Record record(RecordKind kind, uint64_t start, uint64_t end) {
  Record made = {};
  made.start = start;
  made.end = end;
  made.sequence = -1;
  made.name = 7;
  made.shapes = kNoId;
  made.stack = kNoStack;
  made.kind = static_cast<uint8_t>(kind);
  return made;
}

TEST(EventRows, OperatorsKeepTheirThreadAndTimes) {
  EventRows rows;
  const Record records[] = {record(RecordKind::kOp, 100, 130), record(RecordKind::kUserRange, 90, 200)};
  rows.take(records, 3);
  TestRecording recording;
  rows.write_to(recording.sink());
  const table::Reader reader = recording.read();
  const table::Chunk& chunk = reader.chunks()[0];
  EXPECT_EQ(values_of(chunk, table::events::kThread), (std::vector<uint32_t>{3, 3}));
  EXPECT_EQ(values_of(chunk, table::events::kStartTicks), (std::vector<uint64_t>{100, 90}));
  EXPECT_EQ(values_of(chunk, table::events::kDurTicks), (std::vector<uint64_t>{30, 110}));
  EXPECT_EQ(values_of(chunk, table::events::kKind),
            (std::vector<uint8_t>{static_cast<uint8_t>(table::EventKind::kOp),
                                  static_cast<uint8_t>(table::EventKind::kUserRange)}));
  EXPECT_EQ(rows.size(), 0u);
}

TEST(EventRows, RecordsOfMemoryAreNotEvents) {
  EventRows rows;
  const Record records[] = {record(RecordKind::kMemory, 1, 2), record(RecordKind::kOp, 3, 4)};
  rows.take(records, 0);
  EXPECT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows.names(0).size(), 1u);
}

TEST(EventRows, AClockThatWentBackGivesNoTimeRatherThanAllOfIt) {
  EventRows rows;
  const Record records[] = {record(RecordKind::kOp, 100, 99)};
  rows.take(records, 0);
  TestRecording recording;
  rows.write_to(recording.sink());
  const table::Reader reader = recording.read();
  EXPECT_EQ(values_of(reader.chunks()[0], table::events::kDurTicks), std::vector<uint64_t>{0});
}

TEST(EventRows, ARangeThatEndedElsewhereBelongsToWhereItBegan) {
  EventRows rows;
  Record foreign = record(RecordKind::kForeignRange, 1, 2);
  foreign.shapes = 5;  // the thread
  rows.take({&foreign, 1}, 3);
  EXPECT_EQ(rows.shapes(0)[0], kNoId);
  TestRecording recording;
  rows.write_to(recording.sink());
  const table::Reader reader = recording.read();
  EXPECT_EQ(values_of(reader.chunks()[0], table::events::kThread), std::vector<uint32_t>{5});
}

TEST(EventRows, ACollectivesNumberIsNoStack) {
  EventRows rows;
  Record collective = record(RecordKind::kCollective, 1, 2);
  collective.stack = 9;
  rows.take({&collective, 1}, 0);
  EXPECT_EQ(rows.stacks(0)[0], kNoStack);
  EXPECT_EQ(rows.collectives(0)[0], 9u);
}

TEST(EventRows, ColumnsThatSayNothingAreLeftOut) {
  EventRows rows;
  Record backward = record(RecordKind::kOp, 1, 2);
  backward.sequence = 12;
  rows.take({&backward, 1}, 0);
  TestRecording recording;
  rows.write_to(recording.sink());
  rows.write_to(recording.sink());  // there are none any more
  const table::Reader reader = recording.read();
  ASSERT_EQ(reader.chunks().size(), 1u);
  EXPECT_TRUE(reader.chunks()[0].has(table::events::kSequence));
  EXPECT_FALSE(reader.chunks()[0].has(table::events::kShapes));
  EXPECT_FALSE(reader.chunks()[0].has(table::events::kStack));
}

}  // namespace
}  // namespace skyline::collect
