#include "cli/terminal/printable.h"

#include <gtest/gtest.h>

namespace skyline::cli {
namespace {

TEST(DisplayWidth, CountsCellsNotBytes) {
  EXPECT_EQ(display_width("µs"), 2u);
  EXPECT_EQ(display_width("日本"), 4u);
  EXPECT_EQ(display_width("e\u0301"), 1u);
  EXPECT_EQ(display_width("😀"), 2u);
}

TEST(CutMiddle, ShortTextStays) { EXPECT_EQ(cut_middle("aten::mm", 8), "aten::mm"); }

TEST(CutMiddle, LongTextKeepsBothEnds) {
  EXPECT_EQ(cut_middle("aten::convolution_backward", 11), "aten:…kward");
  EXPECT_EQ(cut_middle("abcdef", 1), "…");
  EXPECT_EQ(cut_middle("abcdef", 0), "");
}

TEST(CutMiddle, WideCharactersAreNotSplit) {
  const std::string cut = cut_middle("日本語日本語", 8);
  EXPECT_LE(display_width(cut), 8u);
  EXPECT_EQ(cut, "日本…語");
}

TEST(Wrap, BreaksAtSpaces) {
  EXPECT_EQ(wrap("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrap("short", 80), (std::vector<std::string>{"short"}));
}

TEST(Wrap, NumbersStayWithTheirUnits) {
  EXPECT_EQ(wrap("copies take 12 % of it", 15), (std::vector<std::string>{"copies take", "12 % of it"}));
  EXPECT_EQ(wrap("all 1 234 567 of it", 12), (std::vector<std::string>{"all", "1 234 567 of", "it"}));
}

TEST(Wrap, BreaksWordsThatDoNotFit) {
  EXPECT_EQ(wrap("abcdefgh", 3), (std::vector<std::string>{"abc", "def", "gh"}));
}

TEST(Pad, FillsUpToCells) {
  EXPECT_EQ(pad_left("µs", 4), "  µs");
  EXPECT_EQ(pad_right("日", 4), "日  ");
  EXPECT_EQ(pad_right("long", 2), "long");
}

}  // namespace
}  // namespace skyline::cli
