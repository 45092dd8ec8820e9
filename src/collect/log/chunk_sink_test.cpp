#include <gtest/gtest.h>

#include "collect/log/test_recording.h"

namespace skyline::collect {
namespace {

namespace table = skyline::tracefile;

void write_memory_row(ChunkSink& sink, int64_t bytes) {
  table::ChunkBuilder& chunk = sink.begin(table::TableId::kMemory);
  chunk.add(table::memory::kBytes, {&bytes, 1});
  sink.append();
}

// Writer refuses a chunk whose columns have different numbers of rows.
void write_what_is_refused(ChunkSink& sink) {
  table::ChunkBuilder& chunk = sink.begin(table::TableId::kMemory);
  const int64_t bytes[] = {1, 2};
  const uint32_t thread = 1;
  chunk.add(table::memory::kBytes, bytes);
  chunk.add(table::memory::kThread, {&thread, 1});
  sink.append();
}

TEST(ChunkSink, WhatWasAppendedCanBeReadBeforeTheEnd) {
  TestRecording recording;
  write_memory_row(recording.sink(), 64);
  const table::Reader reader = recording.read();
  ASSERT_EQ(reader.chunks().size(), 1u);
  EXPECT_EQ(values_of(reader.chunks()[0], table::memory::kBytes), std::vector<int64_t>{64});
  EXPECT_EQ(reader.ending().kind, table::Ending::Kind::kTruncated);
}

TEST(ChunkSink, FinishMarksTheFileAsComplete) {
  TestRecording recording;
  write_memory_row(recording.sink(), 64);
  recording.sink().finish();
  EXPECT_EQ(recording.read().ending().kind, table::Ending::Kind::kComplete);
  EXPECT_TRUE(recording.troubles().empty());
}

TEST(ChunkSink, AChunkThatIsRefusedEndsTheFileAndIsSaidOnce) {
  TestRecording recording;
  write_memory_row(recording.sink(), 64);
  write_what_is_refused(recording.sink());
  write_memory_row(recording.sink(), 128);
  recording.sink().finish();
  EXPECT_TRUE(recording.sink().has_failed());
  EXPECT_EQ(recording.troubles().size(), 1u);
  const table::Reader reader = recording.read();
  EXPECT_EQ(reader.chunks().size(), 1u);
  EXPECT_EQ(reader.ending().kind, table::Ending::Kind::kTruncated);
}

TEST(ChunkSink, AfterFailNothingIsWritten) {
  TestRecording recording;
  recording.sink().fail("the disk is gone");
  write_memory_row(recording.sink(), 64);
  EXPECT_TRUE(recording.read().chunks().empty());
  EXPECT_EQ(recording.troubles(), std::vector<std::string>{"the disk is gone"});
}

}  // namespace
}  // namespace skyline::collect
