#include "serve/http/token.h"

#include <gtest/gtest.h>

#include <set>

namespace skyline::serve {
namespace {

TEST(Token, IsLongNewEachTimeAndNeedsNoEscape) {
  std::set<std::string> tokens;
  std::set<char> letters;
  for (int i = 0; i < 1000; ++i) {
    const std::string token = random_token();
    EXPECT_EQ(token.size(), 32u);  // of 64 letters: 192 bits
    EXPECT_EQ(token.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
              std::string::npos);
    EXPECT_TRUE(tokens.insert(token).second);
    letters.insert(token.begin(), token.end());
  }
  EXPECT_EQ(letters.size(), 64u);
}

TEST(Token, OnlyTheWholeIsTheSame) {
  EXPECT_TRUE(is_same_token("abc", "abc"));
  for (const char* other : {"", "a", "ab", "abd", "bbc", "abcd", "ABC"})
    EXPECT_FALSE(is_same_token(other, "abc"));
}

}  // namespace
}  // namespace skyline::serve
