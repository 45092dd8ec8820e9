#include "base/parallel.h"

#include <gtest/gtest.h>
#include <atomic>
#include <new>
#include <stdexcept>
#include <vector>

namespace skyline {
namespace {

TEST(ParallelFor, DoesEveryIndexOnceForAnyNumberOfThreads) {
  for (unsigned threads : {0u, 1u, 2u, 7u}) {
    std::vector<std::atomic<int>> done(1000);
    parallel_for(done.size(), threads, [&](size_t i) { ++done[i]; });
    for (const std::atomic<int>& count : done) ASSERT_EQ(count, 1);
  }
}

TEST(ParallelFor, AnExceptionComesToTheCallerAndNoMoreWorkBegins) {
  for (unsigned threads : {1u, 2u, 7u}) {
    std::atomic<int> begun = 0;
    const auto work = [&](size_t) {
      ++begun;
      throw std::bad_alloc();
    };
    EXPECT_THROW(parallel_for(1000, threads, work), std::bad_alloc);
    EXPECT_LE(begun, static_cast<int>(threads));
  }
}

TEST(RunOnThreads, TheFirstExceptionWaitsForTheOthers) {
  std::atomic<int> ended = 0;
  const auto work = [&] {
    if (ended++ == 0) throw std::runtime_error("first");
  };
  EXPECT_THROW(run_on_threads(4, work), std::runtime_error);
  EXPECT_EQ(ended, 4);
}

TEST(ParallelFor, NothingToDoIsFine) {
  parallel_for(0, 4, [](size_t) { FAIL(); });
}

}  // namespace
}  // namespace skyline
