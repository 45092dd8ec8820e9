#include "collect/tables/intern_table.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace skyline::collect {
namespace {

TEST(InternTable, SameTextSameNumber) {
  InternTable table;
  const InternTable::Entry first = table.intern("aten::mm");
  EXPECT_EQ(table.intern("aten::add").id, 1u);
  EXPECT_EQ(table.intern(std::string("aten::mm")).id, first.id);
  EXPECT_EQ(table.text(first.id), "aten::mm");
}

TEST(InternTable, TextsStayWhereTheyAreWhileManyThreadsAdd) {
  InternTable table;
  const std::string* kept = table.intern("first").text;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 5000; ++i) table.intern("text " + std::to_string(i));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(table.size(), 5001u);
  EXPECT_EQ(table.intern("first").text, kept);
  EXPECT_EQ(*kept, "first");
}

TEST(InternTable, TextsBeyondTheLimitAreCountedAndHaveNoEntry) {
  InternTable table;
  table.set_limit(1000);
  std::vector<uint32_t> ids;
  for (int i = 0; i < 20; ++i) ids.push_back(table.intern("text " + std::to_string(i)).id);
  EXPECT_EQ(ids[6], 6u);
  EXPECT_EQ(ids[7], InternTable::kNoRoom);
  EXPECT_EQ(table.refused(), 13u);
  EXPECT_EQ(table.intern("text 6").id, 6u) << "what is there stays";
  EXPECT_EQ(table.intern("text 7").text, nullptr);
}

TEST(InternTable, TextsBeyondTheLimitMayCountAsOne) {
  InternTable table("(too many)");
  table.set_limit(0);
  EXPECT_EQ(*table.intern("one").text, "(too many)");
  EXPECT_EQ(table.intern("another").id, table.intern("one").id);
}

}  // namespace
}  // namespace skyline::collect
