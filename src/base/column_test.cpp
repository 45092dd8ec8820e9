#include "base/column.h"

#include <gtest/gtest.h>

namespace skyline {
namespace {

TEST(Column, KeepsWhatWasPushedAcrossGrowth) {
  Column<int> column;
  for (int i = 0; i < 100000; ++i) column.push_back(i);
  ASSERT_EQ(column.size(), 100000u);
  for (int i = 0; i < 100000; ++i) ASSERT_EQ(column[static_cast<size_t>(i)], i);
}

TEST(Column, ExtendGivesRoomAfterTheOldValues) {
  Column<int> column;
  column.push_back(7);
  int* room = column.extend_uninitialized(3);
  room[0] = room[1] = room[2] = 9;
  EXPECT_EQ(column[0], 7);
  EXPECT_EQ(column[3], 9);
  EXPECT_EQ(column.size(), 4u);
}

TEST(Column, MovedFromColumnIsEmptyAndUsable) {
  Column<int> first;
  first.push_back(1);
  Column<int> second = std::move(first);
  first.push_back(2);
  EXPECT_EQ(second[0], 1);
  EXPECT_EQ(first[0], 2);
}

TEST(Column, ShrinkGivesBackUnusedRoom) {
  Column<long> column;
  column.reserve(1000);
  column.push_back(5);
  column.shrink_to_fit();
  EXPECT_EQ(column.bytes(), sizeof(long));
  EXPECT_EQ(column[0], 5);
}

TEST(Column, RecycledMemoryHoldsOtherValues) {
  Column<long> longs;
  longs.reserve(10);
  Column<char> bytes = std::move(longs).recycle<char>();
  EXPECT_EQ(bytes.bytes(), 10 * sizeof(long));
  EXPECT_TRUE(bytes.empty());
  for (int i = 0; i < 200; ++i) bytes.push_back('x');
  longs.push_back(3);
  EXPECT_EQ(bytes.size(), 200u);
  EXPECT_EQ(longs[0], 3);
}

}  // namespace
}  // namespace skyline
