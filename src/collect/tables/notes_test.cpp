#include "collect/tables/notes.h"

#include <gtest/gtest.h>

#include <thread>

#include "collect/tables/ids.h"

namespace skyline::collect {
namespace {

TEST(Notes, NothingIsLostBetweenThreadsThatAddAndOneThatTakes) {
  constexpr int kThreads = 4, kEach = 2000;
  Notes<int> notes;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&notes] {
      for (int n = 0; n < kEach; ++n) notes.add(n);
    });
  }
  size_t taken = 0;
  while (taken < kThreads * kEach) taken += notes.take().size();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(taken, static_cast<size_t>(kThreads * kEach));
  EXPECT_TRUE(notes.take().empty());
}

TEST(IdSet, TellsWhichNumbersAreNew) {
  IdSet set;
  EXPECT_TRUE(set.insert(5));
  EXPECT_FALSE(set.insert(5));
  EXPECT_TRUE(set.insert(0));
  EXPECT_TRUE(set.insert(1000));
  EXPECT_FALSE(set.insert(1000));
}

}  // namespace
}  // namespace skyline::collect
