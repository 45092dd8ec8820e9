#include "collect/intern_table.h"

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

}  // namespace
}  // namespace skyline::collect
