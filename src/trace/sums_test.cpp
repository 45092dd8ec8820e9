#include "trace/sums.h"

#include <gtest/gtest.h>

#include "trace/test_draft.h"

namespace skyline {
namespace {

constexpr int64_t kLongest = (int64_t{1} << 53) - 1;

uint64_t too_large(TestDraft& t) { return t.freeze_for_changes().losses[Loss::kSumTooLarge].count; }

TEST(Sums, AThousandOfTheLongestDurationsFitAndOneMoreIsCounted) {
  for (const int count : {1024, 1025}) {
    TestDraft t;
    const TrackId stream = t.track("0", "7");
    for (int i = 0; i < count; ++i) t.kernel(stream, i, kLongest, 0);
    EXPECT_EQ(too_large(t), count == 1024 ? 0u : 1u);
  }
}

TEST(Sums, SizesAreAddedApartFromTimesAndFreesCountLikeAllocations) {
  for (const int64_t last : {int64_t{1}, int64_t{-1}, int64_t{2}, INT64_MIN}) {
    TestDraft t;
    t.kernel(t.track("0", "7"), 0, kLongest, 0);
    MemoryTable& memory = t.draft().memory;
    for (const int64_t bytes : {INT64_MAX - 1, last}) {
      memory.add({.track = TrackId(0), .address = 1, .bytes = bytes, .device_type = 0});
    }
    EXPECT_EQ(too_large(t), last == 1 || last == -1 ? 0u : 1u) << last;
  }
}

}  // namespace
}  // namespace skyline
