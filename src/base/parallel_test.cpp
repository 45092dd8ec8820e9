#include "base/parallel.h"

#include <gtest/gtest.h>
#include <atomic>
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

TEST(ParallelFor, NothingToDoIsFine) {
  parallel_for(0, 4, [](size_t) { FAIL(); });
}

}  // namespace
}  // namespace skyline
