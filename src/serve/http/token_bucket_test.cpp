#include "serve/http/token_bucket.h"

#include <gtest/gtest.h>

namespace skyline::serve {
namespace {

using std::chrono::milliseconds;

TEST(TokenBucket, AfterABurstOneWaitsForTheNextTurn) {
  TokenBucket::Clock::time_point now{};
  TokenBucket bucket(10, 3, now);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(bucket.take(now).count(), 0);
  const auto wait = bucket.take(now);
  EXPECT_GT(wait, milliseconds(99));
  EXPECT_LT(wait, milliseconds(101));
  now += wait;
  EXPECT_EQ(bucket.take(now).count(), 0);
  EXPECT_GT(bucket.take(now).count(), 0);
}

TEST(TokenBucket, APauseSavesUpNoMoreThanABurst) {
  TokenBucket::Clock::time_point now{};
  TokenBucket bucket(10, 3, now);
  now += milliseconds(100'000);
  int taken = 0;
  while (bucket.take(now).count() == 0) ++taken;
  EXPECT_EQ(taken, 3);
}

}  // namespace
}  // namespace skyline::serve
