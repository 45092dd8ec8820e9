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

Result<int> half_of_an_eighth(int n) {
  if (n % 8 == 0)
    SKYLINE_RETURN_IF_ERROR(quarter(n / 8));
  else
    return Error{"no eighth"};
  return n / 16;
}

TEST(Result, ReturnIfErrorReturnsTheErrorAndNothingElse) {
  EXPECT_EQ(half_of_an_eighth(32).value(), 2);
  EXPECT_EQ(half_of_an_eighth(8).error().sentence, "odd");
  EXPECT_EQ(half_of_an_eighth(7).error().sentence, "no eighth");
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
