#include "analyze/memory/blocks.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "analyze/memory/test_memory_trace.h"

namespace skyline::analyze {
namespace {

// "born-died:bytes" of each block; no end: it stays.
std::string text_of(const DeviceMemory& memory) {
  std::string text;
  for (const MemoryBlock& block : memory.blocks) {
    text += (text.empty() ? "" : " ") + std::to_string(block.born) + "-";
    if (block.died != kNoRow) text += std::to_string(block.died);
    text += ":" + std::to_string(block.bytes);
  }
  return text;
}

TEST(MemoryBlocks, ABlockLivesUntilItsAddressIsReleasedOnWhateverThread) {
  MemoryTestTrace t;
  const TrackId main = t.thread("1"), other = t.thread("2");
  t.allocate(main, 10, 0x100, 8).allocate(main, 20, 0x200, 4).release(other, 30, 0x100, 8);
  const auto trace = t.freeze();
  const std::vector<DeviceMemory> devices = memory_blocks(*trace);
  ASSERT_EQ(devices.size(), 1u);
  EXPECT_EQ(text_of(devices[0]), "0-2:8 1-:4");
  EXPECT_EQ(devices[0].live_bytes, (std::vector<int64_t>{8, 12, 4}));
}

TEST(MemoryBlocks, EventsAreTakenInTheOrderOfTime) {
  MemoryTestTrace t;
  const TrackId main = t.thread("1"), other = t.thread("2");
  t.release(other, 30, 0x100, 8).allocate(main, 10, 0x100, 8);
  const auto trace = t.freeze();
  EXPECT_EQ(text_of(memory_blocks(*trace)[0]), "0-1:8");
}

TEST(MemoryBlocks, TheNextBlockAtAnAddressIsAnotherOne) {
  MemoryTestTrace t;
  const TrackId main = t.thread("1");
  t.allocate(main, 10, 0x100, 8).release(main, 20, 0x100, 8).allocate(main, 30, 0x100, 4);
  const auto trace = t.freeze();
  EXPECT_EQ(text_of(memory_blocks(*trace)[0]), "0-1:8 2-:4");
}

TEST(MemoryBlocks, ALostReleaseEndsWhereTheAddressIsGivenAway) {
  MemoryTestTrace t;
  const TrackId main = t.thread("1");
  t.allocate(main, 10, 0x100, 8).allocate(main, 20, 0x100, 4);
  const auto trace = t.freeze();
  const DeviceMemory memory = memory_blocks(*trace)[0];
  EXPECT_EQ(text_of(memory), "0-1:8 1-:4");
  EXPECT_EQ(memory.live_bytes.back(), 4);
}

TEST(MemoryBlocks, WithoutAddressesAReleaseEndsTheYoungestOfItsSize) {
  MemoryTestTrace t;
  const TrackId main = t.thread("1");
  t.allocate(main, 10, 0, 8).allocate(main, 20, 0, 8).allocate(main, 30, 0, 4).release(main, 40, 0, 8);
  const auto trace = t.freeze();
  EXPECT_EQ(text_of(memory_blocks(*trace)[0]), "0-:8 1-3:8 2-:4");
}

TEST(MemoryBlocks, OlderBlocksAreKnownByTheTotalOrByTheirRelease) {
  MemoryTestTrace t;
  const TrackId main = t.thread("1");
  t.allocate(main, 10, 0x100, 8).release(main, 20, 0x900, 5).allocate(main, 30, 0x200, 4);
  t.draft().memory.total_allocated[0] = 108;
  const auto trace = t.freeze();
  const DeviceMemory memory = memory_blocks(*trace)[0];
  EXPECT_EQ(memory.older_after(0), 100);
  EXPECT_EQ(memory.older_after(1), 95);
  EXPECT_EQ(memory.live_bytes, (std::vector<int64_t>{8, 8, 12}));

  MemoryTestTrace silent;
  silent.allocate(silent.thread("1"), 10, 0x100, 8).release(silent.thread("1"), 20, 0x900, 5);
  const auto without_total = silent.freeze();
  EXPECT_EQ(memory_blocks(*without_total)[0].older_after(0), 5);
  EXPECT_EQ(memory_blocks(*without_total)[0].older_after(1), 0);
}

TEST(MemoryBlocks, DevicesAreApartAndAllHostMemoryIsOne) {
  constexpr int32_t kHost = 0, kGpu = 1, kMkldnn = 2, kNotSaid = -1;
  MemoryTestTrace t;
  const TrackId main = t.thread("1");
  t.allocate(main, 10, 0x100, 1, kGpu).allocate(main, 20, 0x100, 2, kHost);
  t.allocate(main, 30, 0x200, 4, kMkldnn).allocate(main, 40, 0x300, 8, kNotSaid);
  t.draft().memory.device_id[0] = 3;
  const auto trace = t.freeze();
  const std::vector<DeviceMemory> devices = memory_blocks(*trace);
  ASSERT_EQ(devices.size(), 2u);
  EXPECT_EQ(name_of(devices[0].device), "cuda:3");
  EXPECT_EQ(devices[0].live_bytes.back(), 1);
  EXPECT_EQ(name_of(devices[1].device), "cpu");
  EXPECT_EQ(devices[1].live_bytes.back(), 14);
  EXPECT_EQ(name_of({99, 0}), "type 99:0");
}

TEST(MemoryBlocks, AbsurdSizesStayWithinTheScale) {
  MemoryTestTrace t;
  const TrackId main = t.thread("1");
  t.allocate(main, 10, 0x100, INT64_MAX).allocate(main, 20, 0x200, INT64_MAX);
  t.allocate(main, 30, 0x300, INT64_MIN).allocate(main, 40, 0x400, 0);
  const auto trace = t.freeze();
  const DeviceMemory memory = memory_blocks(*trace)[0];
  EXPECT_EQ(memory.live_bytes, (std::vector<int64_t>{INT64_MAX, INT64_MAX}));
}

// The sum of live bytes by dice, against a walk over all events for every moment.
TEST(MemoryBlocks, LiveBytesAreThoseOfTheLivingBlocks) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    MemoryTestTrace t;
    const TrackId threads[] = {t.thread("1"), t.thread("2")};
    for (int i = 0; i < 60; ++i) {
      const auto time = static_cast<int64_t>(random() % 100);
      const uint64_t address = random() % 6 * 16;
      const auto bytes = static_cast<int64_t>(1 + random() % 4);
      t.allocate(threads[random() % 2], time, address, random() % 2 == 0 ? bytes : -bytes);
    }
    const auto trace = t.freeze();
    const DeviceMemory memory = memory_blocks(*trace)[0];
    ASSERT_EQ(memory.live_bytes.size(), memory.events.size());
    for (uint32_t event = 0; event < memory.events.size(); ++event) {
      int64_t sum = 0;
      std::set<uint64_t> addresses;
      for (const MemoryBlock& block : memory.blocks) {
        if (!block.lives_after(event)) continue;
        sum += block.bytes;
        const bool is_alone = block.address == 0 || addresses.insert(block.address).second;
        EXPECT_TRUE(is_alone) << "two blocks in one place, seed " << seed;
      }
      ASSERT_EQ(sum, memory.live_bytes[event]) << "seed " << seed << " event " << event;
    }
  }
}

}  // namespace
}  // namespace skyline::analyze
