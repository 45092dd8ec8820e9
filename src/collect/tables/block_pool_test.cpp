#include "collect/tables/block_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <set>
#include <thread>
#include <vector>

namespace skyline::collect {
namespace {

constexpr size_t kSmall = 8 * Block::kBytes;

TEST(BlockPool, GivesEachBlockOnceAndNoMoreThanThereIsRoomFor) {
  BlockPool pool;
  ASSERT_TRUE(pool.reserve(kSmall));
  std::set<Block*> taken;
  while (Block* block = pool.take()) taken.insert(block);
  EXPECT_EQ(taken.size(), 8u);
  EXPECT_EQ(pool.used_blocks(), 8u);
  pool.give(*taken.begin());
  EXPECT_EQ(pool.take(), *taken.begin());
}

TEST(BlockPool, ReservesAnewWithAnotherSizeWhileNoneIsInUse) {
  BlockPool pool;
  ASSERT_TRUE(pool.reserve(kSmall));
  Block* const block = pool.take();
  ASSERT_TRUE(pool.reserve(2 * kSmall));
  EXPECT_EQ(pool.capacity_blocks(), 8u);  // somebody writes there
  pool.give(block);
  ASSERT_TRUE(pool.reserve(2 * kSmall));
  EXPECT_EQ(pool.capacity_blocks(), 16u);
  std::set<Block*> taken;
  while (Block* fresh = pool.take()) taken.insert(fresh);
  EXPECT_EQ(taken.size(), 16u);
}

TEST(BlockPool, ForgetsWhatWasSubmittedAndTaken) {
  BlockPool pool;
  ASSERT_TRUE(pool.reserve(kSmall));
  pool.submit(pool.take());
  static_cast<void>(pool.take());
  pool.forget_all();
  EXPECT_EQ(pool.drain(), nullptr);
  std::set<Block*> taken;
  while (Block* block = pool.take()) taken.insert(block);
  EXPECT_EQ(taken.size(), 8u);
}

TEST(BlockPool, DrainsInTheOrderOfSubmission) {
  BlockPool pool;
  ASSERT_TRUE(pool.reserve(kSmall));
  for (uint32_t i = 0; i < 5; ++i) {
    Block* block = pool.take();
    block->thread = i;
    pool.submit(block);
  }
  uint32_t expected = 0;
  for (Block* block = pool.drain(); block != nullptr; block = pool.next_of(block))
    EXPECT_EQ(block->thread, expected++);
  EXPECT_EQ(expected, 5u);
  EXPECT_EQ(pool.drain(), nullptr);
}

TEST(BlockPool, RefusesARegionThatHoldsNoBlock) {
  BlockPool pool;
  EXPECT_FALSE(pool.reserve(Block::kBytes - 1));
  EXPECT_EQ(pool.take(), nullptr);
}

// Four threads write numbered records into few blocks while one drains: every record arrives once,
// each thread's in order, and what found no room is as many as is missing.
TEST(BlockPool, NothingIsLostOrDoubledBetweenWritersAndDrain) {
  constexpr int kThreads = 4, kRecords = 200'000;
  BlockPool pool;
  ASSERT_TRUE(pool.reserve(kSmall));
  std::atomic<int> running = kThreads;
  std::atomic<uint64_t> dropped = 0;
  std::vector<std::thread> writers;
  for (uint32_t t = 0; t < kThreads; ++t) {
    writers.emplace_back([&, t] {
      Block* block = nullptr;
      for (uint64_t i = 1; i <= kRecords; ++i) {
        if (block != nullptr && block->used.load() == Block::kRecords) {
          pool.submit(block);
          block = nullptr;
        }
        if (block == nullptr && (block = pool.take()) != nullptr) block->thread = t;
        if (block == nullptr) {
          ++dropped;
          continue;
        }
        const uint32_t used = block->used.load();
        block->records[used].start = i;
        block->used.store(used + 1, std::memory_order_release);
      }
      if (block != nullptr) pool.submit(block);
      --running;
    });
  }
  std::map<uint32_t, uint64_t> last;
  uint64_t seen = 0;
  const auto drain = [&] {
    for (Block* block = pool.drain(); block != nullptr;) {
      Block* const next = pool.next_of(block);
      for (uint32_t i = 0; i < block->used.load(); ++i, ++seen) {
        ASSERT_GT(block->records[i].start, last[block->thread]);
        last[block->thread] = block->records[i].start;
      }
      pool.give(block);
      block = next;
    }
  };
  while (running > 0) drain();
  for (std::thread& writer : writers) writer.join();
  drain();
  EXPECT_EQ(seen + dropped, uint64_t{kThreads} * kRecords);
  EXPECT_EQ(pool.used_blocks(), 0u);
}

}  // namespace
}  // namespace skyline::collect
