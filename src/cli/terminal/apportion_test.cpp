#include "cli/terminal/apportion.h"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

namespace skyline::cli {
namespace {

std::vector<int> percents(std::vector<int64_t> parts) { return apportion(parts, 100); }

TEST(Apportion, SharesAddUpToTheWhole) {
  EXPECT_EQ(percents({1, 1, 1}), (std::vector<int>{34, 33, 33}));
  EXPECT_EQ(percents({61, 39}), (std::vector<int>{61, 39}));
  EXPECT_EQ(percents({999, 1}), (std::vector<int>{100, 0}));
}

TEST(Apportion, NothingHasNoShares) {
  EXPECT_EQ(percents({}), (std::vector<int>{}));
  EXPECT_EQ(percents({0, 0}), (std::vector<int>{0, 0}));
}

TEST(Apportion, NegativePartsGetNothing) { EXPECT_EQ(percents({-5, 5}), (std::vector<int>{0, 100})); }

TEST(Apportion, HugePartsDoNotOverflow) {
  const int64_t huge = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(percents({huge, huge}), (std::vector<int>{50, 50}));
}

TEST(Apportion, ManySmallPartsStillAddUp) {
  const std::vector<int> shares = percents(std::vector<int64_t>(333, 7));
  EXPECT_EQ(std::accumulate(shares.begin(), shares.end(), 0), 100);
}

}  // namespace
}  // namespace skyline::cli
