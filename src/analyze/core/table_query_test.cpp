#include "analyze/core/table_query.h"

#include <gtest/gtest.h>

#include "analyze/core/table_cells.h"

namespace skyline::analyze {
namespace {

constexpr ColumnDef kColumns[] = {
    {"name", "Name", Unit::kText, ColumnKind::kKey, "."},
    {"time", "Time", Unit::kNanoseconds, ColumnKind::kAdditive, "."},
    {"share", "Share", Unit::kShare, ColumnKind::kDerived, "."},
    {"op", "Operator", Unit::kText, ColumnKind::kKey, "."},
};

Table fruit() {
  Table table;
  table.columns.assign(std::begin(kColumns), std::end(kColumns));
  table.rows = {
      {std::string("pear"), int64_t{5}, 0.5, std::string("z")},
      {std::string("fig"), int64_t{9}, Cell(), std::string("y")},
      {std::string("apple"), int64_t{5}, 0.25, std::string("aten::Mm")},
      {std::string("kiwi"), Cell(), 0.75, std::string("x")},
  };
  return table;
}

std::string order_after(const TableQuery& query) {
  Table table = fruit();
  EXPECT_TRUE(apply_query(table, query).ok());
  return first_column(table);
}

TEST(TableQuery, NumbersSortLargestFirstTiesByNameAndMissingLast) {
  EXPECT_EQ(order_after({"time", "", 0}), "fig apple pear kiwi");
  EXPECT_EQ(order_after({"-time", "", 0}), "fig apple pear kiwi");
}

TEST(TableQuery, PlusSortsSmallestFirstAndMissingStillLast) {
  EXPECT_EQ(order_after({"+time", "", 0}), "apple pear fig kiwi");
  EXPECT_EQ(order_after({"+share", "", 0}), "apple pear kiwi fig");
}

TEST(TableQuery, TextsSortFromAToZUnlessAskedOtherwise) {
  EXPECT_EQ(order_after({"name", "", 0}), "apple fig kiwi pear");
  EXPECT_EQ(order_after({"-name", "", 0}), "pear kiwi fig apple");
}

TEST(TableQuery, WithoutSortTheTablesOwnOrderStays) { EXPECT_EQ(order_after({}), "pear fig apple kiwi"); }

TEST(TableQuery, FilterLooksIntoEveryTextInAnyCase) {
  EXPECT_EQ(order_after({"", "MM", 0}), "apple");
  EXPECT_EQ(order_after({"", "I", 0}), "fig kiwi");
  EXPECT_EQ(order_after({"", "5", 0}), "");
}

TEST(TableQuery, TopCutsAfterSortingAndSaysHowMuch) {
  Table table = fruit();
  ASSERT_TRUE(apply_query(table, {"name", "", 3}).ok());
  EXPECT_EQ(first_column(table), "apple fig kiwi");
  EXPECT_EQ(table.left_out, 1u);
}

TEST(TableQuery, TopLargerThanTheTableCutsNothing) {
  Table table = fruit();
  ASSERT_TRUE(apply_query(table, {"", "", 9}).ok());
  EXPECT_EQ(table.rows.size(), 4u);
  EXPECT_EQ(table.left_out, 0u);
}

TEST(TableQuery, LargeWholeNumbersAreComparedExactly) {
  Table table = fruit();
  table.rows = {{std::string("a"), int64_t{9007199254740992}, 0.0, std::string()},
                {std::string("b"), int64_t{9007199254740993}, 0.0, std::string()}};
  ASSERT_TRUE(apply_query(table, {"time", "", 0}).ok());
  EXPECT_EQ(first_column(table), "b a");
}

TEST(TableQuery, UnknownColumnNamesTheKnownOnes) {
  Table table = fruit();
  const Status status = apply_query(table, {"-tiem", "", 0});
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().sentence,
            "there is no column \"tiem\" to sort by; it can be name, time, share or op");
}

}  // namespace
}  // namespace skyline::analyze
