#include "collect/recorder.h"

#include <linux/membarrier.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/printable.h"
#include "collect/log/file_writer.h"
#include "collect/log/thread_log.h"
#include "collect/python/stacks.h"
#include "collect/python/without_gil.h"
#include "collect/torch/direct_calls.h"
#include "collect/torch/op_hooks.h"
#include "collect/torch/op_records.h"
#include "collect/torch/user_ranges.h"

namespace skyline::collect {
namespace {

constexpr uint64_t kLeastBuffer = uint64_t{1} << 20;

// After this every other thread has seen our stores, and we see theirs, though theirs have no fence.
void fence_all_threads() {
  static const bool registered =
      syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
  if (registered && syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0) return;
  usleep(20'000);  // kernels without it: far longer than a store buffer lives
}

void before_fork() {
  renew_op_hooks();
  Recorder::instance().lock_for_fork();
}
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

Recorder* const Recorder::kInstance = make_recorder();  // for ever: threads may outlive static destruction

void Recorder::lock_for_fork() {
  control_.lock();
  direct_calls::lock_for_fork();
  thread_registry().mutex.lock();
  names_.lock();
  shapes_.lock();
  collectives_.lock();
  python_stacks::lock();
  trouble_mutex_.lock();
  live_blocks_lock_ = live_blocks_.lock();
  user_ranges::lock();
}

void Recorder::unlock_after_fork() {
  user_ranges::unlock();
  live_blocks_lock_.unlock();
  trouble_mutex_.unlock();
  python_stacks::unlock();
  collectives_.unlock();
  shapes_.unlock();
  names_.unlock();
  thread_registry().mutex.unlock();
  direct_calls::unlock_after_fork();
  control_.unlock();
}

// The writer's thread does not exist here, so the writer can only be left behind, its file closed.
// Nor do the other threads, whatever they were about to do.
void Recorder::forget_in_child() {
  active_.store(false, std::memory_order_release);
  for_each_log([](ThreadLog& log) {
    log.block = nullptr;
    if (&log == log_of_thread) return;
    log.busy = log.alive = false;
    log.marked = 0;
  });
  pool_.forget_all();
  is_stopping_ = false;
  if (writer_ == nullptr) return;
  writer_->abandon();
  static_cast<void>(writer_.release());
  leave_op_hooks();
  if (options_.memory) remove_memory_hooks();
  const auto lock = live_blocks_.lock();
  live_blocks_.clear();  // what was not written of releases is lost here
}

Status Recorder::start(const Options& options) {
  const std::lock_guard lock(control_);
  if (is_stopping_) return Error{"the last recording is still being written; start again when it is done"};
  if (writer_ != nullptr) return Error{"a recording is already running in this process; stop it first"};
  try {
    return start_locked(options);
  } catch (const std::exception& error) {  // no memory, or no thread to be had
    return Error{std::string("the recorder cannot start: ") + error.what()};
  }
}

Status Recorder::start_locked(const Options& options) {
  if (options.buffer_bytes < kLeastBuffer || !pool_.reserve(options.buffer_bytes)) {
    return Error{"no memory for " + std::to_string(options.buffer_bytes) +
                 " bytes of buffers; choose buffer_bytes from 1 MiB up"};
  }
  options_ = options;
  trouble_.clear();
  const size_t share = options.buffer_bytes / 4;
  for (InternTable* table : {&names_, &shapes_, &collectives_}) table->set_limit(share);
  python_stacks::set_limit(share);
  SKYLINE_TRY(std::unique_ptr<FileWriter> writer, FileWriter::open(*this, options));
  writer_ = std::move(writer);
  // From here on nothing fails.
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
  FileWriter* const writer = begin_stopping();
  if (writer == nullptr) return {};
  {
    const WithoutGil gil;  // a thread may want it in our callback, for a tensor that answers in Python
    wait_until_quiet();
    direct_calls::undo();
    // No thread writes any more from here on.
    cut_open_ranges();
    collect_open_blocks();
  }
  if (options_.stacks) python_stacks::resolve(name_modules);
  Outcome outcome;
  {
    const WithoutGil gil;  // the disk may be slow
    outcome = writer->finish(way_taken());
  }
  if (options_.stacks) python_stacks::release();
  end_stopping(outcome);
  return outcome;
}

// Nothing is recorded any more; who has begun goes on writing its record. nullptr: there is nothing to stop.
FileWriter* Recorder::begin_stopping() {
  const std::lock_guard lock(control_);
  if (writer_ == nullptr || is_stopping_) return nullptr;
  is_stopping_ = true;
  is_direct_ = remove_op_hooks();
  if (options_.memory) remove_memory_hooks();
  active_.store(false, std::memory_order_release);
  return writer_.get();
}

void Recorder::end_stopping(Outcome& outcome) {
  const std::lock_guard lock(control_);
  writer_.reset();
  is_stopping_ = false;
  outcome.trouble = trouble();
}

WayTaken Recorder::way_taken() const {
  if (is_direct_) return {.direct = true, .why_not = {}};
  const bool was_asked_for = options_.direct && trouble().empty();
  return {.direct = false, .why_not = was_asked_for ? std::string(direct_calls::why_not()) : ""};
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

void Recorder::cut_open_ranges() {
  const uint64_t now = read_ticks();
  for_each_log([&](ThreadLog& log) {
    if (log.session == session()) collect::cut_open_ranges(log, now);
  });
  if (ThreadLog* const log = this_thread_log()) user_ranges::cut_open(*log, session(), now);
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

void Recorder::note_device_text(std::string path) {
  const std::lock_guard lock(control_);
  if (writer_ != nullptr) writer_->note_device_text(std::move(path));
}

void Recorder::add_part(RecordedPart part) {
  const std::lock_guard lock(control_);
  if (writer_ != nullptr) writer_->add_part(std::move(part));
}

std::string Recorder::trouble() const {
  const std::lock_guard lock(trouble_mutex_);
  return trouble_;
}

void Recorder::give_up(std::string_view sentence) noexcept {
  active_.store(false, std::memory_order_release);
  direct_calls::end();  // whoever else observes does so from now on
  const std::lock_guard lock(trouble_mutex_);
  if (!trouble_.empty()) return;
  try {
    trouble_ = printable(sentence);
  } catch (const std::bad_alloc&) {
    trouble_ = "no memory";  // needs none
  }
  std::fprintf(stderr, "skyline: %s; training goes on unrecorded\n", trouble_.c_str());
}

}  // namespace skyline::collect
