#include "collect/thread_log.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <climits>
#include <cstring>

#include "base/hash.h"
#include "collect/recorder.h"

namespace skyline::collect {
namespace {

// Initial-exec: one load instead of a function call per operator. The module is loaded late, but a
// single pointer fits into the room that the loader keeps for such cases.
__attribute__((tls_model("initial-exec"))) thread_local ThreadLog* log_of_thread = nullptr;

pthread_key_t at_thread_end;

// Other libraries' destructors may still free tensors on this thread, so ours asks to be called in a
// later round, until there is none.
void end_thread(void* pointer) {
  auto* const log = static_cast<ThreadLog*>(pointer);
  if (++log->end_rounds < PTHREAD_DESTRUCTOR_ITERATIONS) {
    pthread_setspecific(at_thread_end, log);
    return;
  }
  pthread_getname_np(pthread_self(), log->name, sizeof log->name);
  {
    const CallbackScope scope(*log);  // stop() waits for us, or takes the block itself
    Block* const block = scope.entered() ? log->block.exchange(nullptr) : nullptr;
    if (block != nullptr) Recorder::instance().submit(block);
  }
  log->alive.store(false, std::memory_order_release);
}

ThreadLog* adopt_log() {
  static const int made = pthread_key_create(&at_thread_end, end_thread);
  ThreadRegistry& registry = thread_registry();
  const std::lock_guard lock(registry.mutex);
  ThreadLog* log = nullptr;
  for (ThreadLog& candidate : registry.logs) {
    // A log whose thread has ended and whose block was collected can serve another thread.
    if (!candidate.alive.load(std::memory_order_acquire) && candidate.block.load() == nullptr)
      log = &candidate;
    if (log != nullptr) break;
  }
  if (log == nullptr) {
    log = &registry.logs.emplace_back();
  } else if (log->session == Recorder::instance().session()) {
    registry.ended.push_back({log->session, log->id, log->os_id, log->name, log->dropped.load(),
                              log->calls.load(), log->sampled_ticks.load(), log->sampled_calls.load()});
  }
  static uint32_t next_id = 0;
  log->id = next_id++;
  log->os_id = syscall(SYS_gettid);
  log->session = 0;
  log->end_rounds = 0;
  log->alive.store(true, std::memory_order_release);
  if (made == 0) pthread_setspecific(at_thread_end, log);
  return log;
}

}  // namespace

ThreadRegistry& thread_registry() {
  static ThreadRegistry* const registry = new ThreadRegistry;  // threads may outlive static destruction
  return *registry;
}

ThreadLog* this_thread_log() {
  if (log_of_thread == nullptr) [[unlikely]] {
    log_of_thread = adopt_log();
  }
  return log_of_thread;
}

void ThreadLog::append(const Record& record) {
  Block* current = block.load(std::memory_order_relaxed);
  uint32_t used = current == nullptr ? 0 : current->used.load(std::memory_order_relaxed);
  if (current == nullptr || used == Block::kRecords) {
    Recorder& recorder = Recorder::instance();
    if (current != nullptr) recorder.submit(current);
    current = recorder.take_block(id);
    block.store(current, std::memory_order_release);
    used = 0;
    if (current == nullptr) {
      dropped.fetch_add(1, std::memory_order_relaxed);
      return;
    }
  }
  current->records[used] = record;
  current->used.store(used + 1, std::memory_order_release);
}

uint32_t NameCache::find(const char* name) {
  const auto address = reinterpret_cast<uintptr_t>(name);
  Slot& slot = slots_[mix_u64(address, 0x9e3779b97f4a7c15) >> 20 & (slots_.size() - 1)];
  if (slot.address == name && std::strcmp(slot.text, name) == 0) return slot.id;
  const InternTable::Entry entry = Recorder::instance().names().intern(name);
  slot = {name, entry.text->c_str(), entry.id};
  return entry.id;
}

const uint32_t* ShapeCache::find(uint64_t hash) const {
  for (size_t at = hash & (slots_.size() - 1); slots_[at].hash != 0; at = (at + 1) & (slots_.size() - 1)) {
    if (slots_[at].hash == hash) return &slots_[at].id;
  }
  return nullptr;
}

void ShapeCache::insert(uint64_t hash, uint32_t id) {
  if (count_ * 2 >= slots_.size()) {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    count_ = 0;
    for (const Slot& slot : old) {
      if (slot.hash != 0) insert(slot.hash, slot.id);
    }
  }
  size_t at = hash & (slots_.size() - 1);
  while (slots_[at].hash != 0) at = (at + 1) & (slots_.size() - 1);
  slots_[at] = {hash, id};
  ++count_;
}

}  // namespace skyline::collect
