#include "collect/tables/live_blocks.h"

#include <gtest/gtest.h>

#include <map>

namespace skyline::collect {
namespace {

std::map<uint64_t, int64_t> alive(const LiveBlocks& blocks) {
  std::map<uint64_t, int64_t> all;
  for (const LiveBlocks::Block& block : blocks.alive()) all[block.address] = block.bytes;
  return all;
}

TEST(LiveBlocks, TheLatestWordCountsInWhateverOrderTheyCome) {
  LiveBlocks blocks;
  blocks.note(64, 10, 100);
  blocks.note(128, 30, 0);  // another thread's records came first
  blocks.note(128, 20, 200);
  blocks.note(192, 40, 300);
  blocks.note(192, 50, 0);
  blocks.note(192, 60, 400);
  blocks.note(0, 70, 500);
  EXPECT_EQ(alive(blocks), (std::map<uint64_t, int64_t>{{64, 100}, {192, 400}}));
}

TEST(LiveBlocks, OldReleasesAreForgotten) {
  LiveBlocks blocks;
  blocks.note(64, 10, 100);
  blocks.note(128, 20, 0);
  blocks.note(192, 30, 0);
  blocks.forget_released(30);
  EXPECT_EQ(blocks.known(), 2u);
  blocks.note(192, 25, 300);
  EXPECT_EQ(alive(blocks), (std::map<uint64_t, int64_t>{{64, 100}}));
}

}  // namespace
}  // namespace skyline::collect
