#include "serve/http/one_time_codes.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace skyline::serve {
namespace {

using State = OneTimeCodes::State;
using std::chrono::seconds;

constexpr OneTimeCodes::Clock::time_point kNow = {};

TEST(OneTimeCodes, EachIsGoodForOneUse) {
  OneTimeCodes codes(seconds(10));
  const std::string one = codes.make(kNow), other = codes.make(kNow);
  EXPECT_NE(one, other);
  EXPECT_EQ(codes.state(one, kNow), State::kGood);
  EXPECT_TRUE(codes.use(one, kNow));
  EXPECT_FALSE(codes.use(one, kNow));
  EXPECT_EQ(codes.state(one, kNow), State::kDead);
  EXPECT_TRUE(codes.use(other, kNow));
}

TEST(OneTimeCodes, TimeEndsThem) {
  OneTimeCodes codes(seconds(10));
  const std::string code = codes.make(kNow);
  EXPECT_EQ(codes.state(code, kNow + seconds(10)), State::kDead);
  EXPECT_FALSE(codes.use(code, kNow + seconds(10)));
  EXPECT_TRUE(codes.use(code, kNow + seconds(9)));
}

TEST(OneTimeCodes, OthersAreUnknown) {
  OneTimeCodes codes(seconds(10));
  EXPECT_FALSE(codes.use("", kNow));
  EXPECT_EQ(codes.state(codes.make(kNow) + "x", kNow), State::kUnknown);
  EXPECT_EQ(codes.state("", kNow), State::kUnknown);
}

TEST(OneTimeCodes, OfManyAtOnceOneIsFirst) {
  OneTimeCodes codes(seconds(10));
  const std::string code = codes.make(kNow);
  std::atomic<int> first = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      if (codes.use(code, kNow)) ++first;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(first, 1);
}

}  // namespace
}  // namespace skyline::serve
