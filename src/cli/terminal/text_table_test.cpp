#include "cli/terminal/text_table.h"

#include <gtest/gtest.h>

#include <sstream>

#include "cli/terminal/printable.h"

namespace skyline::cli {
namespace {

TextTable sample_table() {
  TextTable table({{"Operator", Align::kLeft, true}, {"Calls", Align::kRight}, {"Self", Align::kRight}});
  table.add_row({"aten::mm", "1 234", "1.234 ms"});
  table.add_row({"aten::a_name_that_is_rather_long", "2", "12.3 µs"});
  return table;
}

TEST(TextTable, AlignsTextLeftAndNumbersRight) {
  EXPECT_EQ(sample_table().render(100, false),
            "Operator                          Calls      Self\n"
            "aten::mm                          1 234  1.234 ms\n"
            "aten::a_name_that_is_rather_long      2   12.3 µs\n");
}

TEST(TextTable, CutsNamesInTheMiddleToFit) {
  EXPECT_EQ(sample_table().render(46, false),
            "Operator                       Calls      Self\n"
            "aten::mm                       1 234  1.234 ms\n"
            "aten::a_name_t…is_rather_long      2   12.3 µs\n");
}

TEST(TextTable, LeavesOutColumnsWhenCuttingIsNotEnough) {
  EXPECT_EQ(sample_table().render(40, false),
            "Operator                          Calls\n"
            "aten::mm                          1 234\n"
            "aten::a_name_that_is_rather_long      2\n"
            "No room for: Self\n");
}

TEST(TextTable, TitlesTakeTwoLinesBeforeColumnsAreLeftOut) {
  TextTable table(
      {{"Operator", Align::kLeft, true}, {"Host self", Align::kRight}, {"Host self %", Align::kRight}});
  table.add_row({"aten::mm", "5 ns", "99 %"});
  EXPECT_EQ(table.render(26, false),
            "          Host    Host\n"
            "Operator  self  self %\n"
            "aten::mm  5 ns    99 %\n");
}

TEST(TextTable, TheFirstColumnIsCutLast) {
  TextTable table({{"Kernel", Align::kLeft, true}, {"Launched by", Align::kLeft, true}});
  table.add_row({std::string(50, 'k'), std::string(40, 'o')});
  EXPECT_EQ(table.render(80, false), "Kernel                                              Launched by\n" +
                                         std::string(50, 'k') + "  " + std::string(14, 'o') + "…" +
                                         std::string(13, 'o') + "\n");
}

TEST(TextTable, WideCharactersKeepTheColumnsStraight) {
  TextTable table({{"Name", Align::kLeft, true}, {"n", Align::kRight}});
  table.add_row({"日本語", "1"});
  table.add_row({"e\u0301", "22"});
  EXPECT_EQ(table.render(100, false),
            "Name     n\n"
            "日本語   1\n"
            "e\u0301       22\n");
}

TEST(TextTable, NoLineIsWiderThanAsked) {
  for (size_t width = 20; width < 60; ++width) {
    std::istringstream lines(sample_table().render(width, false));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), width) << line;
  }
}

TEST(TextTable, ColourIsOnlyInTheTitles) {
  const std::string text = sample_table().render(100, true);
  EXPECT_EQ(text.rfind("\x1b[1mOperator", 0), 0u);
  EXPECT_EQ(text.find('\x1b', text.find('\n')), std::string::npos);
}

TEST(TextTable, WithoutRowsOnlyTitles) {
  EXPECT_EQ(TextTable({{"Name", Align::kLeft, true}}).render(80, false), "Name\n");
}

}  // namespace
}  // namespace skyline::cli
