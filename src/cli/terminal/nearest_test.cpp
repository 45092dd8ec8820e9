#include "cli/terminal/nearest.h"

#include <gtest/gtest.h>

namespace skyline::cli {
namespace {

using Words = std::vector<std::string_view>;
const Words kWords = {"info", "check", "report", "show", "explain"};

TEST(Nearest, FindsTypingErrors) {
  EXPECT_EQ(nearest("reprot", kWords), Words{"report"});
  EXPECT_EQ(nearest("chek", kWords), Words{"check"});
  EXPECT_EQ(nearest("shwo", kWords), Words{"show"});
}

TEST(Nearest, FindsPartsOfNames) {
  EXPECT_EQ(nearest("busy", Words{"device.busy", "device.idle", "tracelens.busy"}),
            (Words{"device.busy", "tracelens.busy"}));
}

TEST(Nearest, FindsTypingErrorsInTheLastPartOfAName) {
  EXPECT_EQ(nearest("bsy", Words{"device.busy", "device.idle"}), Words{"device.busy"});
}

TEST(Nearest, SaysNothingWhenNothingIsNear) {
  EXPECT_EQ(nearest("frobnicate", kWords), Words{});
  EXPECT_EQ(nearest("", kWords), Words{});
  EXPECT_EQ(nearest(std::string(5000, 'x'), kWords), Words{});
}

TEST(Nearest, TheLikeliestComesFirstAndTheListIsShort) {
  EXPECT_EQ(nearest("aab", Words{"abb", "aaab", "aab", "aabb", "aabc"}, 2), (Words{"aab", "abb"}));
}

TEST(JoinChoices, ReadsAsASentence) {
  EXPECT_EQ(join_choices({}), "");
  EXPECT_EQ(join_choices({"a"}), "a");
  EXPECT_EQ(join_choices({"a", "b"}), "a or b");
  EXPECT_EQ(join_choices({"a", "b", "c"}, "and"), "a, b and c");
}

}  // namespace
}  // namespace skyline::cli
