#include "collect/address_sizes.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <thread>

namespace skyline::collect {
namespace {

const void* address(uint64_t value) { return reinterpret_cast<const void*>(value); }

TEST(AddressSizes, AgreesWithAMapUnderRandomUse) {
  AddressSizes sizes;
  std::map<uint64_t, size_t> expected;
  std::mt19937_64 random(7);
  for (int i = 0; i < 200'000; ++i) {
    const uint64_t at = (random() % 3000 + 1) * 64;
    if (random() % 2 == 0) {
      sizes.insert(address(at), at + static_cast<uint64_t>(i));
      expected[at] = at + static_cast<uint64_t>(i);
      continue;
    }
    size_t bytes = 0;
    const auto known = expected.find(at);
    ASSERT_EQ(sizes.remove(address(at), bytes), known != expected.end());
    if (known == expected.end()) continue;
    ASSERT_EQ(bytes, known->second);
    expected.erase(known);
  }
}

// An empty tensor's block has no address, and is released like any other.
TEST(AddressSizes, NoBlockIsAtNull) {
  AddressSizes sizes;
  size_t bytes = 0;
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(sizes.remove(nullptr, bytes));
  for (uint64_t i = 1; i < 100; ++i) sizes.insert(address(i * 64), i);
  for (uint64_t i = 1; i < 100; ++i) {
    EXPECT_TRUE(sizes.remove(address(i * 64), bytes));
    EXPECT_EQ(bytes, i);
  }
}

TEST(AddressSizes, ThreadsDoNotLoseEachOthersBlocks) {
  AddressSizes sizes;
  std::vector<std::thread> threads;
  std::atomic<int> lost = 0;
  for (uint64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (uint64_t i = 1; i < 20'000; ++i) {
        sizes.insert(address((t << 40) + i * 64), i);
        size_t bytes = 0;
        if (!sizes.remove(address((t << 40) + i * 64), bytes) || bytes != i) ++lost;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(lost, 0);
}

}  // namespace
}  // namespace skyline::collect
