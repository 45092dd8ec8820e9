// What one thread records: its open operators, its block, its caches. Only its thread touches it;
// the recorder looks at the few atomics.
#pragma once

#include <atomic>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "collect/block_pool.h"
#include "collect/python_stacks.h"

namespace skyline::collect {

inline constexpr uint32_t kNoId = UINT32_MAX;

// An operator or range that has begun and not ended.
struct OpenRange {
  const void* owner;  // the at::RecordFunction, to pair its end with its begin
  uint64_t start;
  int64_t sequence;
  uint32_t name;
  uint32_t shapes;
  uint32_t stack;
  uint32_t fwd_thread;
  RecordKind kind;
  StackCache::Place place;
};

// Operator names by where their text stands; the text is compared, as addresses are used again.
class NameCache {
 public:
  NameCache() : slots_(1024) {}
  uint32_t find(const char* name);

 private:
  struct Slot {
    const char* address = nullptr;
    const char* text = nullptr;
    uint32_t id = kNoId;
  };
  std::vector<Slot> slots_;
};

// Input signatures by the hash of what they are made of.
class ShapeCache {
 public:
  ShapeCache() : slots_(1024) {}

  // nullptr when the signature is new to this thread.
  const uint32_t* find(uint64_t hash) const;
  void insert(uint64_t hash, uint32_t id);

 private:
  struct Slot {
    uint64_t hash = 0;
    uint32_t id = kNoId;
  };
  std::vector<Slot> slots_;
  size_t count_ = 0;
};

struct ThreadLog {
  // Set while the thread is inside one of our callbacks; see Recorder::wait_until_quiet().
  std::atomic<bool> busy = false;
  std::atomic<bool> alive = true;
  std::atomic<uint64_t> dropped = 0;
  // Of every 256th call: how long it was inside our callbacks. An estimate of what we cost.
  std::atomic<uint64_t> sampled_ticks = 0;
  std::atomic<uint64_t> sampled_calls = 0;
  std::atomic<uint64_t> calls = 0;
  std::atomic<Block*> block = nullptr;

  uint32_t id = 0;
  int64_t os_id = 0;
  char name[16] = "";  // known once the thread has ended
  int end_rounds = 0;
  uint64_t session = 0;  // the recording that the fields below belong to
  std::vector<OpenRange> open;
  NameCache names;
  ShapeCache shapes;
  StackCache stacks;

  // Appends a record, taking a new block when the old one is full; counts what finds no room.
  void append(const Record& record);
};

// The calling thread's log, made on first use. nullptr only when there is no memory for it.
ThreadLog* this_thread_log();

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
