#include "collect/sampling/part_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>

#include "collect/sampling/system_counters.h"

namespace skyline::collect {
namespace {

class TemporaryPath {
 public:
  TemporaryPath() { ::close(::mkstemp(path.data())); }
  ~TemporaryPath() { std::remove(path.c_str()); }
  std::string path = testing::TempDir() + "part_XXXXXX";
};

size_t rows_of(const tracefile::Reader& file, tracefile::TableId table) {
  size_t rows = 0;
  for (const tracefile::Chunk& chunk : file.chunks())
    if (chunk.table() == table) rows += chunk.rows();
  return rows;
}

TEST(PartFile, WhatWasFlushedIsThereWithoutAnEnd) {
  const TemporaryPath temporary;
  Result<PartFile> part = PartFile::create(temporary.path, {{"process.id", "7"}});
  ASSERT_TRUE(part.ok());
  SampleTree tree;
  const uint32_t outer = tree.stack(SampleTree::kNone, tree.frame({tree.text("a.py"), tree.text("f"), 3}));
  const uint32_t inner = tree.stack(outer, tree.frame({tree.text("a.py"), tree.text("g"), 5}));
  PartRows rows;
  rows.samples = {{7, 100, inner}, {8, 100, SampleTree::kNone}};
  rows.pauses = {{7, 50, 60, 2, 11}};
  rows.ranges = {{7, 10, 90, "DataLoader.fetch"}};
  rows.counters = {{100, "cpu.user_ns", 5}};
  rows.settings = {{"torch.threads", "2"}};
  ASSERT_TRUE(part.value().flush(rows, tree).ok());

  const Result<tracefile::Reader> file = tracefile::Reader::open(temporary.path);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file.value().ending().kind, tracefile::Ending::Kind::kTruncated);
  using tracefile::TableId;
  EXPECT_EQ(rows_of(file.value(), TableId::kSamples), 2u);
  EXPECT_EQ(rows_of(file.value(), TableId::kThreads), 2u);
  EXPECT_EQ(rows_of(file.value(), TableId::kStacks), 2u);
  EXPECT_EQ(rows_of(file.value(), TableId::kGcPauses), 1u);
  EXPECT_EQ(rows_of(file.value(), TableId::kEvents), 1u);
  EXPECT_EQ(rows_of(file.value(), TableId::kCounters), 1u);
  EXPECT_EQ(rows_of(file.value(), TableId::kSettings), 1u);
  EXPECT_EQ(rows_of(file.value(), TableId::kClock), 2u);
}

TEST(PartFile, DefinitionsAreWrittenOnceAndBeforeTheRowsThatNameThem) {
  const TemporaryPath temporary;
  Result<PartFile> part = PartFile::create(temporary.path, {});
  ASSERT_TRUE(part.ok());
  SampleTree tree;
  const uint32_t stack = tree.stack(SampleTree::kNone, tree.frame({tree.text("a.py"), tree.text("f"), 3}));
  PartRows rows;
  rows.samples = {{7, 100, stack}};
  ASSERT_TRUE(part.value().flush(rows, tree).ok());
  ASSERT_TRUE(part.value().flush(rows, tree).ok());
  ASSERT_TRUE(part.value().finish().ok());
  const Result<tracefile::Reader> file = tracefile::Reader::open(temporary.path);
  ASSERT_TRUE(file.ok());
  bool has_stacks = false;
  for (const tracefile::Chunk& chunk : file.value().chunks()) {
    if (chunk.table() == tracefile::TableId::kStacks) has_stacks = true;
    if (chunk.table() == tracefile::TableId::kSamples) {
      EXPECT_TRUE(has_stacks);
    }
  }
  EXPECT_EQ(rows_of(file.value(), tracefile::TableId::kStacks), 1u);
  EXPECT_EQ(rows_of(file.value(), tracefile::TableId::kSamples), 2u);
}

TEST(SampleTree, EqualStacksHaveOneNumberAndAFullTreeGivesTheStackAround) {
  SampleTree tree(2);
  const uint32_t frame = tree.frame({tree.text("a.py"), tree.text("f"), 3});
  const uint32_t outer = tree.stack(SampleTree::kNone, frame), inner = tree.stack(outer, frame);
  EXPECT_NE(outer, inner);
  EXPECT_EQ(tree.stack(outer, frame), inner);
  EXPECT_EQ(tree.stack(inner, frame), inner);
  EXPECT_EQ(tree.refused(), 1u);
}

TEST(SystemCounters, NumbersOfTheKernelAreFound) {
  EXPECT_EQ(number_behind("some avg10=0.00 avg60=0.00 total=15\nfull avg10=0.00 total=9\n", "total="), 15);
  EXPECT_EQ(number_behind("nr_periods 3\nthrottled_usec 12\n", "throttled_usec "), 12);
  EXPECT_EQ(number_behind("2048 512 100", " "), 512);
  EXPECT_EQ(number_behind("", "total="), -1);
  EXPECT_EQ(number_behind("total=", "total="), -1);
}

TEST(SystemCounters, AProcessHasTimeAndMemory) {
  const SystemCounters counters;
  std::vector<CounterRow> rows;
  counters.read(1, false, rows);
  double resident = 0;
  for (const CounterRow& row : rows)
    if (row.name == "memory.resident_bytes") resident = row.value;
  EXPECT_GT(resident, 1e5);
  EXPECT_GE(rows.size(), 7u);
}

}  // namespace
}  // namespace skyline::collect
