#include "base/result.h"

#include <gtest/gtest.h>
#include <memory>

namespace skyline {
namespace {

Result<int> half(int n) {
  if (n % 2 != 0) return Error{"odd"};
  return n / 2;
}

Result<int> quarter(int n) {
  SKYLINE_TRY(const int halved, half(n));
  return half(halved);
}

TEST(Result, TryHandsTheValueOn) {
  ASSERT_TRUE(quarter(12).ok());
  EXPECT_EQ(quarter(12).value(), 3);
}

TEST(Result, TryReturnsTheFirstError) {
  ASSERT_FALSE(quarter(7).ok());
  EXPECT_EQ(quarter(7).error().sentence, "odd");
}

TEST(Result, CarriesMoveOnlyValues) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(4);
  EXPECT_EQ(*std::move(result).value(), 4);
}

TEST(ResultDeathTest, AskingAnErrorForItsValueIsOurBug) {
  EXPECT_DEATH((void)half(3).value(), "internal error");
}

}  // namespace
}  // namespace skyline
