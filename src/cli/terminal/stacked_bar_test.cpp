#include "cli/terminal/stacked_bar.h"

#include <gtest/gtest.h>

namespace skyline::cli {
namespace {

TEST(StackedBar, AreasAreProportionalAndAddUp) {
  EXPECT_EQ(render_stacked_bar({{"compute", 50, "█", Ink::kCompute},
                                {"copy", 0, "▒", Ink::kCopy},
                                {"idle", 25, "·", Ink::kIdle},
                                {"host", 25, "░", Ink::kHost}},
                               44, false),
            "██████████████████████···········░░░░░░░░░░░\n"
            "█ compute 50 %   · idle 25 %   ░ host 25 %\n");
}

TEST(StackedBar, SmallPartsAreStillNamed) {
  EXPECT_EQ(
      render_stacked_bar({{"compute", 9999, "█", Ink::kCompute}, {"copy", 1, "▒", Ink::kCopy}}, 10, false),
      "██████████\n"
      "█ compute 100 %\n"
      "▒ copy <1 %\n");
}

TEST(StackedBar, EachPercentIsRoundedByItself) {
  EXPECT_EQ(render_stacked_bar(
                {{"a", 316, "█", Ink::kCompute}, {"b", 118, "▒", Ink::kCopy}, {"c", 566, "░", Ink::kHost}},
                30, false),
            "█████████▒▒▒▒░░░░░░░░░░░░░░░░░\n"
            "█ a 32 %   ▒ b 12 %   ░ c 57 %\n");
}

TEST(StackedBar, NothingToShowShowsNothing) {
  EXPECT_EQ(render_stacked_bar({{"compute", 0, "█", Ink::kCompute}}, 10, false), "");
}

TEST(StackedBar, ColourSurroundsTheGlyphs) {
  EXPECT_EQ(render_stacked_bar({{"idle", 1, "·", Ink::kIdle}}, 2, true),
            "\x1b[38;5;245m··\x1b[0m\n\x1b[38;5;245m·\x1b[0m idle 100 %\n");
}

}  // namespace
}  // namespace skyline::cli
