// Around all that we do on a training thread.
#pragma once

#include "collect/log/thread_log.h"
#include "collect/recorder.h"

namespace skyline::collect {

// Keeps our own work out of the recording, and tells stop() that this thread is inside.
class CallbackScope {
 public:
  // Of so many calls one is timed.
  static constexpr uint64_t kSampleEvery = 256;

  // busy, then active: stop() stores active and looks at busy, with fence_all_threads() between.
  explicit CallbackScope(ThreadLog& log) : log_(log) {
    if (log.busy.load(std::memory_order_relaxed)) return;  // our own work, seen by our own hooks
    log.busy.store(true, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    const Recorder& recorder = Recorder::instance();
    if (!recorder.active()) [[unlikely]] {
      log.busy.store(false, std::memory_order_release);
      return;
    }
    if (log.session != recorder.session() && !log.restart(recorder.session())) [[unlikely]] {
      log.busy.store(false, std::memory_order_release);
      return;
    }
    entered_ = true;
    const uint64_t calls = log.calls.load(std::memory_order_relaxed) + 1;
    log.calls.store(calls, std::memory_order_relaxed);
    if (calls % kSampleEvery == 0) [[unlikely]] {
      sample_start_ = read_ticks();
    }
  }

  ~CallbackScope() {
    if (!entered_) return;
    if (sample_start_ != 0) [[unlikely]] {
      log_.sampled_ticks.fetch_add(read_ticks() - sample_start_, std::memory_order_relaxed);
      log_.sampled_calls.fetch_add(1, std::memory_order_relaxed);
    }
    log_.busy.store(false, std::memory_order_release);
  }

  CallbackScope(const CallbackScope&) = delete;
  CallbackScope& operator=(const CallbackScope&) = delete;

  bool entered() const { return entered_; }

 private:
  ThreadLog& log_;
  bool entered_ = false;
  uint64_t sample_start_ = 0;
};

}  // namespace skyline::collect
