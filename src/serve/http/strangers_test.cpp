#include "serve/http/strangers.h"

#include <gtest/gtest.h>

#include <vector>

namespace skyline::serve {
namespace {

TEST(Strangers, TheOldestGivesWayToTheNext) {
  std::vector<int> gone;
  Strangers strangers(2);
  for (int i = 0; i < 4; ++i) strangers.enter([&gone, i] { gone.push_back(i); });
  EXPECT_EQ(gone, (std::vector<int>{0, 1}));
}

TEST(Strangers, WhoHasLeftIsNotSentAway) {
  std::vector<int> gone;
  Strangers strangers(2);
  const uint64_t first = strangers.enter([&] { gone.push_back(0); });
  strangers.enter([&] { gone.push_back(1); });
  strangers.leave(first);
  strangers.leave(first);
  strangers.enter([&] { gone.push_back(2); });
  EXPECT_TRUE(gone.empty());
  strangers.enter([&] { gone.push_back(3); });
  EXPECT_EQ(gone, std::vector<int>{1});
}

TEST(Strangers, WhoeverIsSentAwayMayLeaveMeanwhile) {
  Strangers strangers(1);
  uint64_t first = 0;
  int calls = 0;
  first = strangers.enter([&] {
    ++calls;
    strangers.leave(first);
  });
  strangers.enter([] {});
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace skyline::serve
