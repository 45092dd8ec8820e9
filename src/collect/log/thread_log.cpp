#include "collect/log/thread_log.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>

#include "collect/log/callback_scope.h"

namespace skyline::collect {

constinit thread_local ThreadLog* log_of_thread = nullptr;

namespace {

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

}  // namespace

ThreadLog* adopt_log() try {
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
  log->torch_tls = nullptr;
  log->known_observers = 0;
  log->end_rounds = 0;
  log->alive.store(true, std::memory_order_release);
  if (made == 0) pthread_setspecific(at_thread_end, log);
  log_of_thread = log;
  return log;
} catch (const std::bad_alloc&) {
  return nullptr;
}

ThreadRegistry& thread_registry() {
  static ThreadRegistry* const registry = new ThreadRegistry;  // threads may outlive static destruction
  return *registry;
}

bool ThreadLog::restart(uint64_t new_session) noexcept {
  if (!open.restart()) return false;
  session = new_session;
  std::atomic_thread_fence(std::memory_order_acquire);  // with the store of the session's number
  Recorder& recorder = Recorder::instance();
  const Options& options = recorder.options();
  if (with_values != options.values) shapes.clear();  // hashes differ, but a cache that is too full is slow
  with_shapes = options.shapes;
  with_values = options.values;
  with_stacks = options.stacks;
  with_modules = options.modules;
  stacks.restart();
  if (recorder.refused() > 0) {  // what found no room in one recording may find it in the next
    shapes.clear();
    stacks.clear();
  }
  for (std::atomic<uint64_t>* count : {&dropped, &sampled_ticks, &sampled_calls, &calls}) {
    count->store(0, std::memory_order_relaxed);
  }
  return true;
}

Block* ThreadLog::next_block() {
  Recorder& recorder = Recorder::instance();
  if (Block* const full = block.load(std::memory_order_relaxed)) recorder.submit(full);
  Block* const fresh = recorder.take_block(id);
  block.store(fresh, std::memory_order_release);
  used = 0;
  if (fresh == nullptr) dropped.fetch_add(1, std::memory_order_relaxed);
  return fresh;
}

}  // namespace skyline::collect
