// Where threads write their records: fixed blocks from one bounded region.
//
// A thread fills its own block and submits it when full; the writer drains submitted blocks and
// gives them back. All three are lock-free: lists of block numbers with a tag against ABA.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace skyline::collect {

enum class RecordKind : uint8_t { kOp, kUserRange, kForeignRange, kCollective, kMemory };

// 40 bytes. For kMemory the fields mean: start = ticks, end = address, sequence = bytes (0: released). For
// kCollective, stack is the number of its description. A kForeignRange has begun on another thread, whose
// number is in shapes.
struct Record {
  uint64_t start;
  uint64_t end;
  int64_t sequence;
  uint32_t name;
  uint32_t shapes;
  uint32_t stack;
  uint32_t fwd_thread : 24;
  uint32_t kind : 8;
};
static_assert(sizeof(Record) == 40);

struct Block {
  static constexpr size_t kBytes = 64 * 1024;
  static constexpr size_t kRecords = (kBytes - 64) / sizeof(Record);

  // Written by the owner, read by the writer: records below `used` are complete.
  std::atomic<uint32_t> used;
  uint32_t thread;
  uint32_t taken;  // the writer's: how many records it has seen already
  // In a list, while it is in one. Atomic as pop() may look at a block that somebody else has just taken.
  std::atomic<uint32_t> next;
  alignas(64) Record records[kRecords];
};
static_assert(sizeof(Block) <= Block::kBytes);

class BlockPool {
 public:
  // Reserves address space for `bytes` of blocks; memory is used only as blocks are. False when the
  // system refuses. Again while no block is in use: with another size it starts anew.
  bool reserve(size_t bytes);

  // In the child of a fork(): whatever was in use belongs to threads that do not exist here.
  void forget_all();

  // An empty block, or nullptr when all are in use.
  Block* take();
  void give(Block* block);

  // Hands a block to the writer.
  void submit(Block* block);
  // All submitted blocks in the order in which they were submitted, linked by next_of().
  Block* drain();
  Block* next_of(const Block* block) { return at(block->next.load(std::memory_order_relaxed)); }

  size_t used_blocks() const { return in_use_.load(std::memory_order_relaxed); }
  size_t capacity_blocks() const { return capacity_; }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  Block* at(uint32_t index) {
    return index == kNone ? nullptr : reinterpret_cast<Block*>(region_ + size_t{index} * Block::kBytes);
  }
  uint32_t index_of(const Block* block) const {
    return static_cast<uint32_t>(static_cast<size_t>(reinterpret_cast<const char*>(block) - region_) /
                                 Block::kBytes);
  }
  void push(std::atomic<uint64_t>& list, Block* block);
  Block* pop(std::atomic<uint64_t>& list);

  char* region_ = nullptr;
  size_t capacity_ = 0;
  std::atomic<uint32_t> fresh_ = 0;  // blocks never used so far begin here
  std::atomic<size_t> in_use_ = 0;
  // tag in the upper half, block number in the lower
  std::atomic<uint64_t> free_ = kNone;
  std::atomic<uint64_t> submitted_ = kNone;
};

}  // namespace skyline::collect
