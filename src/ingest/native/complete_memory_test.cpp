#include "ingest/native/complete_memory.h"

#include <gtest/gtest.h>

#include <string>

namespace skyline::ingest::native {
namespace {

class CompleteMemoryTest : public testing::Test {
 protected:
  void row(int64_t time_ns, uint64_t address, int64_t bytes, int64_t total = kUnknownBytes,
           int32_t device = 0) {
    memory_.add({.time_ns = time_ns,
                 .track = TrackId(0),
                 .address = address,
                 .bytes = bytes,
                 .total_allocated = total,
                 .device_type = device});
  }

  // "time: bytes = total", a row each.
  std::string completed() {
    complete_memory(alive_, memory_);
    std::string text;
    for (size_t i = 0; i < memory_.size(); ++i) {
      text += std::to_string(memory_.time_ns[i]) + ": " + std::to_string(memory_.bytes[i]) + " = " +
              std::to_string(memory_.total_allocated[i]) + "\n";
    }
    return text;
  }

  BlockSizes alive_;
  MemoryTable memory_;
};

TEST_F(CompleteMemoryTest, ReleasesAreAsLargeAsWhatWasAllocatedThere) {
  row(10, 64, 100);
  row(30, 64, 0);
  row(50, 64, 300);
  row(20, 128, 200);  // another thread's
  row(40, 128, 0);
  EXPECT_EQ(completed(), "10: 100 = 100\n30: -100 = 200\n50: 300 = 300\n20: 200 = 300\n40: -200 = 0\n");
}

TEST_F(CompleteMemoryTest, BlocksFromBeforeCountIfTheyAreKnown) {
  alive_[64] = 1000;
  alive_[128] = 500;
  row(10, 64, 0);
  row(20, 192, 0);  // nobody has seen it come
  row(30, 256, 7);
  EXPECT_EQ(completed(), "10: -1000 = 500\n30: 7 = 507\n");
}

TEST_F(CompleteMemoryTest, WhatWentUnseenIsReplaced) {
  row(10, 64, 100);
  row(20, 64, 250);
  row(30, 64, 0);
  EXPECT_EQ(completed(), "10: 100 = 100\n20: 250 = 250\n30: -250 = 0\n");
}

TEST_F(CompleteMemoryTest, WhatIsSaidStays) {
  row(10, 64, 100, 5000);
  row(20, 64, -100, 4900);
  row(30, 64, 0, 3, 1);  // a device's
  EXPECT_EQ(completed(), "10: 100 = 5000\n20: -100 = 4900\n30: 0 = 3\n");
}

}  // namespace
}  // namespace skyline::ingest::native
