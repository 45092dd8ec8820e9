#include "base/cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace skyline {
namespace {

constexpr size_t kEntry = 1000;  // more than an entry takes besides

struct TextKey {
  using Value = std::string;
  int number;
  auto operator<=>(const TextKey&) const = default;
  static size_t bytes_of(const TextKey&, const Value& text) { return text.size(); }
};

struct NumberKey {
  using Value = int;
  int number;
  auto operator<=>(const NumberKey&) const = default;
  static size_t bytes_of(const NumberKey&, int) { return 0; }
};

// How often texts were made.
class CacheTest : public testing::Test {
 protected:
  std::string ask(Cache& cache, int number, size_t bytes) {
    return *cache.get(TextKey{number}, [&] {
      ++made_;
      return std::string(bytes, 'x');
    });
  }

  int made_ = 0;
};

TEST_F(CacheTest, EachResultIsMadeOnce) {
  Cache cache(100 * kEntry);
  for (int round = 0; round < 3; ++round) {
    for (int number = 0; number < 5; ++number) ask(cache, number, 10);
  }
  EXPECT_EQ(made_, 5);
}

TEST_F(CacheTest, KindsOfResultsHaveKeysOfTheirOwn) {
  Cache cache(100 * kEntry);
  EXPECT_EQ(*cache.get(TextKey{1}, [] { return std::string("text"); }), "text");
  EXPECT_EQ(*cache.get(NumberKey{1}, [] { return 7; }), 7);
  EXPECT_EQ(*cache.get(TextKey{1}, [] { return std::string("other"); }), "text");
}

TEST_F(CacheTest, LeastRecentlyUsedGoesFirst) {
  Cache cache(10 * kEntry);
  for (int number = 0; number < 8; ++number) ask(cache, number, kEntry);
  ask(cache, 0, kEntry);  // used again: 1 is the oldest now
  ask(cache, 100, 2 * kEntry);
  EXPECT_LE(cache.held_bytes(), 10 * kEntry);
  made_ = 0;
  ask(cache, 0, kEntry);
  EXPECT_EQ(made_, 0);
  ask(cache, 1, kEntry);
  EXPECT_EQ(made_, 1);
}

TEST_F(CacheTest, LatestStayWhateverTheyWeigh) {
  Cache cache(kEntry);
  for (int round = 0; round < 3; ++round) {
    for (int number = 0; number < static_cast<int>(Cache::kAlwaysHeld); ++number)
      ask(cache, number, 5 * kEntry);
  }
  EXPECT_EQ(made_, static_cast<int>(Cache::kAlwaysHeld));
}

TEST_F(CacheTest, WhoHoldsAResultKeepsIt) {
  Cache cache(kEntry);
  const std::shared_ptr<const std::string> held = cache.get(TextKey{-1}, [] { return std::string("held"); });
  for (int number = 0; number < 100; ++number) ask(cache, number, kEntry);
  EXPECT_EQ(*held, "held");
  EXPECT_EQ(*cache.get(TextKey{-1}, [] { return std::string("anew"); }), "anew");
}

TEST_F(CacheTest, AfterAnErrorTheNextOneTriesAgain) {
  Cache cache(100 * kEntry);
  const auto fail = [](const TextKey&) -> std::string { throw std::runtime_error("no"); };
  EXPECT_THROW(cache.get(TextKey{1}, [&] { return fail({1}); }), std::runtime_error);
  EXPECT_EQ(ask(cache, 1, 3), "xxx");
}

TEST_F(CacheTest, ManyThreadsMakeEachResultOnce) {
  Cache cache(1000 * kEntry);
  std::atomic<int> made = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) {
        const int number = (i * 7 + t) % 50;
        const auto text = cache.get(TextKey{number}, [&] {
          ++made;
          return std::to_string(number);
        });
        EXPECT_EQ(*text, std::to_string(number));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made, 50);
}

TEST_F(CacheTest, ManyThreadsPushOutWhatOthersUse) {
  Cache cache(2 * kEntry);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 500; ++i) {
        const int number = (i * (t + 1)) % 40;
        EXPECT_EQ(cache.get(TextKey{number}, [&] { return std::string(kEntry, 'y'); })->size(), kEntry);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(cache.held_bytes(), 2 * Cache::kAlwaysHeld * kEntry);
}

}  // namespace
}  // namespace skyline
