#include "base/number_text.h"

#include <gtest/gtest.h>

namespace skyline {
namespace {

TEST(NumberText, ThousandsStandApart) {
  EXPECT_EQ(with_gaps(0), "0");
  EXPECT_EQ(with_gaps(999), "999");
  EXPECT_EQ(with_gaps(1214), "1 214");
  EXPECT_EQ(with_gaps(1'000'000), "1 000 000");
  EXPECT_EQ(with_gaps(-100), "-100");
  EXPECT_EQ(with_gaps(-1214), "-1 214");
}

TEST(NumberText, BytesHaveTheUnitOfTheWhole) {
  constexpr int64_t kGiB = int64_t{1} << 30;
  EXPECT_EQ(part_of_bytes(3 * kGiB, 8 * kGiB), "3.0 of 8.0 GiB");
  EXPECT_EQ(part_of_bytes(kGiB / 50, 8 * kGiB), "0.02 of 8.0 GiB");
  EXPECT_EQ(part_of_bytes(5, 100), "5 of 100 B");
}

TEST(NumberText, TheLastOfAListFollowsAnd) {
  EXPECT_EQ(list_text({}), "");
  EXPECT_EQ(list_text({"a"}), "a");
  EXPECT_EQ(list_text({"a", "b"}), "a and b");
  EXPECT_EQ(list_text({"a", "b", "c"}), "a, b and c");
}

}  // namespace
}  // namespace skyline
