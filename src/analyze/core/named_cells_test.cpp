#include "analyze/core/named_cells.h"

#include <gtest/gtest.h>

#include "analyze/core/figures.h"

namespace skyline::analyze {
namespace {

constexpr ColumnDef kTwoColumns[] = {
    {"name", "Name", Unit::kText, ColumnKind::kKey, "Its name."},
    {"calls", "Calls", Unit::kCount, ColumnKind::kAdditive, "How often."},
};

struct Called {
  std::string name;
  int64_t calls;
};

NamedCells<Called>::Named name_cell() {
  return {"name", [](const Called& row) { return row.name; }};
}
NamedCells<Called>::Named calls_cell() {
  return {"calls", [](const Called& row) { return row.calls; }};
}

TEST(NamedCells, StandInTheOrderOfTheColumns) {
  const NamedCells<Called> cells(kTwoColumns, {calls_cell(), name_cell()});
  const std::vector<Cell> row = cells.row({"aten::mm", 3});
  ASSERT_EQ(row.size(), 2u);
  EXPECT_EQ(std::get<std::string>(row[0]), "aten::mm");
  EXPECT_EQ(std::get<int64_t>(row[1]), 3);
  EXPECT_EQ(std::get<int64_t>(cells.cell({"", 4}, 1)), 4);
}

TEST(NamedCells, ColumnsThatAreNotShownAreLeftOut) {
  NamedCells<Called> cells(kTwoColumns, {name_cell(), calls_cell()});
  cells.show_only([](std::string_view column) { return column == "calls"; });
  ASSERT_EQ(cells.columns().size(), 1u);
  EXPECT_EQ(cells.columns()[0].name, "calls");
  EXPECT_EQ(std::get<int64_t>(cells.row({"aten::mm", 3})[0]), 3);
}

TEST(NamedCells, SomeColumnsMayBeOfOtherRows) {
  const NamedCells<Called> cells(kTwoColumns, {calls_cell()}, CellsOf::kSomeColumns);
  EXPECT_EQ(cells.columns().size(), 1u);
}

TEST(NamedCellsDeathTest, NamesMustBeThereAndOnce) {
  EXPECT_DEATH(NamedCells<Called>(kTwoColumns, {name_cell()}), "internal error");
  EXPECT_DEATH(NamedCells<Called>(kTwoColumns, {name_cell(), calls_cell(), calls_cell()}), "internal error");
  EXPECT_DEATH(NamedCells<Called>(kTwoColumns, {{"oops", {}}}, CellsOf::kSomeColumns), "internal error");
}

constexpr FigureDef kTwoFigures[] = {
    {"test.calls", Unit::kCount, "How often."},
    {"test.share", Unit::kShare, "Of what."},
};

TEST(NamedFigures, StandInTheOrderOfTheDefinitions) {
  const std::vector<Figure> figures =
      make_figures(kTwoFigures, {{"test.share", 0.5}, {"test.calls", int64_t{3}}});
  ASSERT_EQ(figures.size(), 2u);
  EXPECT_EQ(figures[0].def->name, "test.calls");
  EXPECT_EQ(std::get<int64_t>(figures[0].value), 3);
}

TEST(NamedFiguresDeathTest, NamesMustBeThereAndOnce) {
  EXPECT_DEATH(make_figures(kTwoFigures, {{"test.calls", int64_t{3}}}), "internal error");
  EXPECT_DEATH(make_figures(kTwoFigures, {{"test.calls", int64_t{3}}, {"test.calls", int64_t{3}}}),
               "internal error");
  EXPECT_DEATH(make_figures(kTwoFigures, {{"test.calls", int64_t{3}}, {"test.oops", 0.5}}), "internal error");
}

}  // namespace
}  // namespace skyline::analyze
