#include "base/median.h"

#include <gtest/gtest.h>

namespace skyline {
namespace {

TEST(Median, OfAnOddNumberOfValuesIsTheOneInTheMiddle) {
  const std::vector<int64_t> values = {30, 10, 20};
  EXPECT_EQ(lower_median(values), 20);
  EXPECT_EQ(upper_median(values), 20);
  EXPECT_EQ(median(values), 20);
  EXPECT_EQ(median(std::vector<double>{3, 1, 2}), 2);
  EXPECT_EQ(median(std::vector<int64_t>{7}), 7);
}

TEST(Median, OfAnEvenNumberOfValuesGoesByItsRule) {
  const std::vector<int64_t> values = {40, 10, 25, 20};
  EXPECT_EQ(lower_median(values), 20);
  EXPECT_EQ(upper_median(values), 25);
  EXPECT_EQ(median(values), 22);
  EXPECT_EQ(median(std::vector<double>{4, 1, 2.5, 2}), 2.25);
}

TEST(Median, OfTheLargestNumbersDoesNotOverflow) {
  EXPECT_EQ(median(std::vector<int64_t>{INT64_MAX, INT64_MAX - 2}), INT64_MAX - 1);
}

}  // namespace
}  // namespace skyline
