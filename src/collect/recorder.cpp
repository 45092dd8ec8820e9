#include "collect/recorder.h"

#include <linux/membarrier.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/direct_calls.h"
#include "collect/file_writer.h"
#include "collect/op_hooks.h"
#include "collect/python_stacks.h"
#include "collect/thread_log.h"

namespace skyline::collect {
namespace {

// After this every other thread has seen our stores, and we see theirs, though theirs have no fence.
void fence_all_threads() {
  static const bool registered =
      syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
  if (registered && syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0) return;
  usleep(20'000);  // kernels without it: far longer than a store buffer lives
}

void before_fork() { Recorder::instance().lock_for_fork(); }
void after_fork_in_parent() { Recorder::instance().unlock_after_fork(); }
void after_fork_in_child() {
  Recorder::instance().unlock_after_fork();
  Recorder::instance().forget_in_child();
}

Recorder* make_recorder() {
  pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
  return new Recorder;
}

}  // namespace

Recorder* const Recorder::instance_ = make_recorder();  // for ever: threads may outlive static destruction

void Recorder::lock_for_fork() {
  control_.lock();
  thread_registry().mutex.lock();
  names_.lock();
  shapes_.lock();
  collectives_.lock();
  python_stacks::lock();
  trouble_mutex_.lock();
  live_blocks_lock_ = live_blocks_.lock();
}

void Recorder::unlock_after_fork() {
  live_blocks_lock_.unlock();
  trouble_mutex_.unlock();
  python_stacks::unlock();
  collectives_.unlock();
  shapes_.unlock();
  names_.unlock();
  thread_registry().mutex.unlock();
  control_.unlock();
}

// The writer's thread does not exist here, so the writer can only be left behind, its file closed.
void Recorder::forget_in_child() {
  active_.store(false, std::memory_order_release);
  if (writer_ == nullptr) return;
  writer_->abandon();
  static_cast<void>(writer_.release());
  leave_op_hooks();
  if (options_.memory) remove_memory_hooks();
  for_each_log([](ThreadLog& log) { log.block.store(nullptr); });
  const auto lock = live_blocks_.lock();
  live_blocks_.clear();  // what was not written of releases is lost here
}

Status Recorder::start(const Options& options) {
  const std::lock_guard lock(control_);
  if (writer_ != nullptr) return Error{"a recording is already running in this process; stop it first"};
  if (!pool_.reserve(options.buffer_bytes)) return Error{"no memory for the recording's buffers"};
  options_ = options;
  trouble_.clear();
  const size_t share = options.buffer_bytes / 4;
  for (InternTable* table : {&names_, &shapes_, &collectives_}) table->set_limit(share);
  python_stacks::set_limit(share);
  SKYLINE_TRY(std::unique_ptr<FileWriter> writer, FileWriter::open(*this, options));
  writer_ = std::move(writer);
  session_.fetch_add(1, std::memory_order_relaxed);
  active_.store(true, std::memory_order_release);
  if (options.memory) {
    install_memory_hooks();
    writer_->write_live_blocks_soon();
  }
  install_op_hooks(options);
  return Done{};
}

Outcome Recorder::stop(PyObject* name_modules) {
  const std::lock_guard lock(control_);
  if (writer_ == nullptr) return {};
  const bool direct = remove_op_hooks();
  if (options_.memory) remove_memory_hooks();
  active_.store(false, std::memory_order_release);
  // No thread writes any more from here on.
  wait_until_quiet();
  collect_open_blocks();
  if (options_.stacks) python_stacks::resolve(name_modules);

  Outcome outcome = writer_->finish();
  outcome.direct = direct;
  writer_.reset();
  if (options_.stacks) python_stacks::release();
  const std::lock_guard trouble_lock(trouble_mutex_);
  outcome.trouble = trouble_;
  return outcome;
}

uint64_t Recorder::refused() const {
  return names_.refused() + shapes_.refused() + collectives_.refused() + python_stacks::refused();
}

void Recorder::wait_until_quiet() {
  fence_all_threads();
  for_each_log([](ThreadLog& log) {
    while (log.busy.load(std::memory_order_acquire)) sched_yield();
  });
}

void Recorder::collect_open_blocks() {
  for_each_log([this](ThreadLog& log) {
    if (Block* block = log.block.exchange(nullptr)) pool_.submit(block);
  });
}

Block* Recorder::take_block(uint32_t thread) {
  Block* block = pool_.take();
  if (block != nullptr) block->thread = thread;
  return block;
}

void Recorder::add_source(SourceFile source) {
  const std::lock_guard lock(control_);
  if (writer_ != nullptr) writer_->add_source(std::move(source));
}

void Recorder::note_tensors(std::vector<TensorNote> tensors) {
  const std::lock_guard lock(control_);
  if (writer_ != nullptr) writer_->note_tensors(std::move(tensors));
}

void Recorder::give_up(const std::string& sentence) {
  active_.store(false, std::memory_order_release);
  direct_calls::end();  // whoever else observes does so from now on
  const std::lock_guard lock(trouble_mutex_);
  if (!trouble_.empty()) return;
  trouble_ = sentence;
  std::fprintf(stderr, "skyline: %s; training goes on unrecorded\n", sentence.c_str());
}

}  // namespace skyline::collect
