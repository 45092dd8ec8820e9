#include "collect/tables/block_pool.h"

#include <sys/mman.h>
#include <new>

namespace skyline::collect {

bool BlockPool::reserve(size_t bytes) {
  const size_t blocks = bytes / Block::kBytes;
  if (region_ != nullptr && (blocks == capacity_ || used_blocks() > 0)) return true;
  if (blocks == 0 || blocks >= kNone) return false;
  void* region = mmap(nullptr, blocks * Block::kBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (region == MAP_FAILED) return false;
  if (region_ != nullptr) munmap(region_, capacity_ * Block::kBytes);
  region_ = static_cast<char*>(region);
  capacity_ = blocks;
  forget_all();
  return true;
}

void BlockPool::forget_all() {
  fresh_ = 0;
  in_use_ = 0;
  free_ = kNone;
  submitted_ = kNone;
}

Block* BlockPool::take() {
  Block* block = pop(free_);
  if (block == nullptr) {
    uint32_t index = fresh_.load(std::memory_order_relaxed);
    do {
      if (index >= capacity_) return nullptr;
    } while (!fresh_.compare_exchange_weak(index, index + 1, std::memory_order_relaxed));
    block = new (at(index)) Block;
  }
  block->used.store(0, std::memory_order_relaxed);
  block->taken = 0;
  in_use_.fetch_add(1, std::memory_order_relaxed);
  return block;
}

void BlockPool::give(Block* block) {
  in_use_.fetch_sub(1, std::memory_order_relaxed);
  push(free_, block);
}

void BlockPool::submit(Block* block) { push(submitted_, block); }

Block* BlockPool::drain() {
  uint64_t head = submitted_.load(std::memory_order_acquire);
  while (!submitted_.compare_exchange_weak(head, (head & ~uint64_t{UINT32_MAX}) | kNone,
                                           std::memory_order_acquire)) {
  }
  // The list has the newest block first.
  Block* oldest = nullptr;
  for (Block* block = at(static_cast<uint32_t>(head)); block != nullptr;) {
    Block* const newer_than_next = block;
    block = next_of(block);
    newer_than_next->next.store(oldest == nullptr ? kNone : index_of(oldest), std::memory_order_relaxed);
    oldest = newer_than_next;
  }
  return oldest;
}

void BlockPool::push(std::atomic<uint64_t>& list, Block* block) {
  uint64_t head = list.load(std::memory_order_relaxed);
  uint64_t with_block;
  do {
    block->next.store(static_cast<uint32_t>(head), std::memory_order_relaxed);
    with_block = ((head >> 32) + 1) << 32 | index_of(block);
  } while (
      !list.compare_exchange_weak(head, with_block, std::memory_order_release, std::memory_order_relaxed));
}

Block* BlockPool::pop(std::atomic<uint64_t>& list) {
  uint64_t head = list.load(std::memory_order_acquire);
  for (;;) {
    Block* block = at(static_cast<uint32_t>(head));
    if (block == nullptr) return nullptr;
    // The block may be taken by somebody else meanwhile and its `next` be nonsense; then the tag
    // has changed and the exchange fails.
    const uint64_t without = ((head >> 32) + 1) << 32 | block->next.load(std::memory_order_relaxed);
    if (list.compare_exchange_weak(head, without, std::memory_order_acquire, std::memory_order_acquire))
      return block;
  }
}

}  // namespace skyline::collect
