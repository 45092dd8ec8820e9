// What one thread records: its open operators, its block, its caches. Only its thread touches it;
// the recorder looks at the few atomics.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <type_traits>
#include <vector>

#include "collect/python/stack_cache.h"
#include "collect/tables/block_pool.h"
#include "collect/tables/thread_caches.h"

namespace at {
struct RecordFunctionTLS;
}

namespace skyline::collect {

// An operator or range that has begun and not ended.
struct OpenRange {
  const void* owner;  // the at::RecordFunction, to pair its end with its begin
  Record record;      // all but its end
  bool has_inside;    // something has begun in it
  StackCache::Place place;
};

// Those of a thread, innermost last. Room for all that are followed is there from the start, and none of it
// is written before it is used: an operator costs no check for room to grow and no zeroes.
class OpenRanges {
 public:
  static constexpr size_t kMost = 4096;  // recursion deeper than this is not followed

  size_t size() const { return size_; }
  OpenRange& back() { return ranges_[size_ - 1]; }
  OpenRange* around_back() { return size_ > 1 ? &ranges_[size_ - 2] : nullptr; }
  OpenRange& operator[](size_t index) { return ranges_[index]; }

  OpenRange& push() { return ranges_[size_++]; }
  void shrink(size_t size) { size_ = size; }

  // For the first call in another recording. False: there is no memory.
  bool restart() {
    if (ranges_ == nullptr) ranges_.reset(new (std::nothrow) OpenRange[kMost]);
    size_ = 0;
    return ranges_ != nullptr;
  }

 private:
  std::unique_ptr<OpenRange[]> ranges_;
  size_t size_ = 0;
};
static_assert(std::is_trivially_default_constructible_v<OpenRange>);

// What every operator needs stands first and together: between two of them training has used the processor's
// cache for itself, and each line of it has to come back.
struct alignas(64) ThreadLog {
  // Set while the thread is inside one of our callbacks; see Recorder::wait_until_quiet().
  std::atomic<bool> busy = false;
  bool with_shapes = false, with_values = false, with_stacks = false,
       with_modules = false;  // of this recording
  uint32_t used = 0;          // of its block
  std::atomic<Block*> block = nullptr;
  std::atomic<uint64_t> calls = 0;
  uint64_t session = 0;                              // the recording that the rest belongs to
  const at::RecordFunctionTLS* torch_tls = nullptr;  // who else observes this thread; once it is known
  uint32_t short_ways = 0;                           // since that was looked at (direct_calls.cpp)
  std::atomic<uint32_t> marked = 0;                  // guards of ours that live or will (direct_calls.cpp)
  uint32_t known_observers = 0;                      // what torch has told this thread of them (the same)
  OpenRanges open;
  NameCache names;
  IdCache shapes;
  StackCache stacks;
  IdCache backward_ranges;  // names of the engine's ranges, by the class of the function inside
  struct {
    const void* guard;
    const void* caller;
  } latest_guard = {};  // made by torch, and where

  std::atomic<bool> alive = true;
  std::atomic<uint64_t> dropped = 0;
  // Of every 256th call: how long it was inside our callbacks. An estimate of what we cost.
  std::atomic<uint64_t> sampled_ticks = 0;
  std::atomic<uint64_t> sampled_calls = 0;
  uint32_t id = 0;
  int64_t os_id = 0;
  char name[16] = "";  // known once the thread has ended
  int end_rounds = 0;

  // For the first call in another recording. False: there is no memory.
  bool restart(uint64_t new_session) noexcept;

  // Appends a record, taking a new block when the old one is full; counts what finds no room. False: that
  // one.
  bool append(const Record& record) {
    Block* current = block.load(std::memory_order_relaxed);
    if (current == nullptr || used == Block::kRecords) [[unlikely]] {
      current = next_block();
      if (current == nullptr) return false;
    }
    current->records[used] = record;
    current->used.store(++used, std::memory_order_release);
    return true;
  }

 private:
  Block* next_block();
};

// Initial-exec: one load instead of a function call per operator. The module is loaded late, but a
// single pointer fits into the room that the loader keeps for such cases.
extern __attribute__((tls_model("initial-exec"))) constinit thread_local ThreadLog* log_of_thread;

ThreadLog* adopt_log();

// The calling thread's log, made on first use; nullptr when there is no memory for it.
inline ThreadLog* this_thread_log() {
  ThreadLog* const log = log_of_thread;
  return log != nullptr ? log : adopt_log();
}

// A thread that has ended and whose log serves another one.
struct EndedThread {
  uint64_t session;
  uint32_t id;
  int64_t os_id;
  std::string name;
  uint64_t dropped, calls, sampled_ticks, sampled_calls;
};

// All logs there are, for the recorder. Logs of ended threads are handed out again.
struct ThreadRegistry {
  std::mutex mutex;
  std::deque<ThreadLog> logs;  // never shrinks, never moves
  std::vector<EndedThread> ended;
};

ThreadRegistry& thread_registry();

template <typename Visit>
void for_each_log(Visit visit) {
  ThreadRegistry& registry = thread_registry();
  const std::lock_guard lock(registry.mutex);
  for (ThreadLog& log : registry.logs) visit(log);
}

}  // namespace skyline::collect
