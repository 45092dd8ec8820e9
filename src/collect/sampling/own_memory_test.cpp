#include "collect/sampling/own_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <vector>

namespace skyline::collect {
namespace {

constexpr size_t kPage = 4096;

TEST(OwnMemory, ReadsWhatIsThere) {
  const OwnMemory memory;
  ASSERT_TRUE(memory.works());
  const int there[2] = {7, 8};
  int first = 0, second = 0;
  const MemoryPiece pieces[] = {{reinterpret_cast<uintptr_t>(&there[0]), &first, sizeof first},
                                {reinterpret_cast<uintptr_t>(&there[1]), &second, sizeof second}};
  ASSERT_TRUE(memory.read(pieces));
  EXPECT_EQ(first, 7);
  EXPECT_EQ(second, 8);
}

TEST(OwnMemory, WhatIsGoneIsAnAnswer) {
  const OwnMemory memory;
  void* const page = ::mmap(nullptr, kPage, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  uint64_t copy = 1;
  EXPECT_TRUE(memory.read(reinterpret_cast<uintptr_t>(page), copy));
  ::munmap(page, kPage);
  EXPECT_FALSE(memory.read(reinterpret_cast<uintptr_t>(page), copy));
  EXPECT_FALSE(memory.read(0, copy));
  EXPECT_FALSE(memory.read(UINTPTR_MAX - 3, copy));
}

TEST(OwnMemory, OnePieceThatIsGoneSpoilsAll) {
  const OwnMemory memory;
  const int there = 7;
  int first = 0, second = 0;
  const MemoryPiece pieces[] = {{reinterpret_cast<uintptr_t>(&there), &first, sizeof first},
                                {16, &second, sizeof second}};
  EXPECT_FALSE(memory.read(pieces));
}

TEST(OwnMemory, TakesMorePiecesThanOneCallDoes) {
  const OwnMemory memory;
  std::vector<int> there(1000), copies(1000);
  std::vector<MemoryPiece> pieces;
  for (size_t i = 0; i < there.size(); ++i) {
    there[i] = static_cast<int>(i);
    pieces.push_back({reinterpret_cast<uintptr_t>(&there[i]), &copies[i], sizeof(int)});
  }
  ASSERT_TRUE(memory.read(pieces));
  EXPECT_EQ(copies, there);
}

}  // namespace
}  // namespace skyline::collect
