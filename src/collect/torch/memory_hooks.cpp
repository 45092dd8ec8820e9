// Allocations.
//
// torch's own reports reach only threads that inherit a profiler's state, and that slot is
// torch.profiler's. So the CPU allocator is wrapped instead. A block keeps the address and the context
// that the wrapped allocator gave it, since torch also frees blocks by their bare address
// (raw_deallocate), before, during or after a recording; only its deleter is ours. A release is recorded
// by its address alone: how much it was is found by the reader, who drops releases of blocks that are
// older than the first recording.
#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>

#include "collect/log/callback_scope.h"
#include "collect/tables/hot.h"
#include "collect/torch/op_hooks.h"

namespace skyline::collect {
namespace {

// Past the recording, for later ones.
void note_block(uint64_t place, int64_t bytes) {
  LiveBlocks& blocks = Recorder::instance().live_blocks();
  const auto lock = blocks.lock();
  blocks.note(place, read_ticks(), bytes);
}

// `bytes` 0: released.
SKYLINE_HOT void record_memory(const void* address, int64_t bytes) {
  ThreadLog* const log = this_thread_log();
  if (log == nullptr) return;
  const CallbackScope scope(*log);
  const auto place = reinterpret_cast<uintptr_t>(address);
  if (!scope.entered()) [[unlikely]] {
    if (bytes == 0) note_block(place, 0);
    return;
  }
  Record record;
  record.start = read_ticks();
  record.end = place;
  record.sequence = bytes;
  record.name = record.shapes = record.stack = 0;
  record.fwd_thread = 0;
  record.kind = static_cast<uint32_t>(RecordKind::kMemory);
  if (!log->append(record)) [[unlikely]] {
    note_block(place, bytes);
  }
}

// A block's deleter gets nothing but its address, so each deleter that we stand for has one of ours: a
// program may exchange its allocator while blocks of the old one live.
constexpr size_t kMostDeleters = 4;
c10::DeleterFnPtr inner_deleters[kMostDeleters] = {};

// Torch frees empty blocks too.
template <size_t kIndex>
SKYLINE_HOT void free_watched(void* data) {
  if (data != nullptr) record_memory(data, 0);
  inner_deleters[kIndex](data);
}
constexpr c10::DeleterFnPtr kWatchedDeleters[kMostDeleters] = {&free_watched<0>, &free_watched<1>,
                                                               &free_watched<2>, &free_watched<3>};

// Ours for this one; nullptr when there are too many.
c10::DeleterFnPtr watched_deleter(c10::DeleterFnPtr inner) {
  for (size_t i = 0; i < kMostDeleters; ++i) {
    if (inner_deleters[i] == nullptr) inner_deleters[i] = inner;
    if (inner_deleters[i] == inner) return kWatchedDeleters[i];
  }
  return nullptr;
}

class WatchedAllocator : public c10::Allocator {
 public:
  WatchedAllocator(c10::Allocator* inner, c10::DeleterFnPtr deleter) : inner_(inner), deleter_(deleter) {}

  SKYLINE_HOT c10::DataPtr allocate(size_t bytes) override {
    c10::DataPtr data = inner_->allocate(bytes);
    if (data.get() == nullptr) return data;
    // One that is not a plain block stays unseen, as it could not be seen to go.
    if (data.compare_exchange_deleter(inner_->raw_deleter(), deleter_)) {
      record_memory(data.get(), static_cast<int64_t>(bytes));
    }
    return data;
  }

  // For raw_deallocate: any block of the wrapped allocator, watched or older.
  c10::DeleterFnPtr raw_deleter() const override { return deleter_; }

  void copy_data(void* to, const void* from, std::size_t count) const override {
    inner_->copy_data(to, from, count);
  }

  c10::Allocator* inner() const { return inner_; }

 private:
  c10::Allocator* const inner_;
  const c10::DeleterFnPtr deleter_;
};

WatchedAllocator* watched = nullptr;  // kept for ever: blocks may outlive the recording

// With the lowest priority that is heard: a higher one would stay, and others not be heard any more.
void set_allocator(c10::Allocator* allocator) {
  for (unsigned priority = 0; priority <= UINT8_MAX && c10::GetCPUAllocator() != allocator; ++priority) {
    c10::SetCPUAllocator(allocator, static_cast<uint8_t>(priority));
  }
}

}  // namespace

void install_memory_hooks() {
  c10::Allocator* const current = c10::GetCPUAllocator();
  if (watched != nullptr && current == watched) return;
  if (watched == nullptr || watched->inner() != current) {
    const c10::DeleterFnPtr inner = current->raw_deleter();
    // Without one, blocks cannot be told apart.
    const c10::DeleterFnPtr deleter = inner == nullptr ? nullptr : watched_deleter(inner);
    if (deleter == nullptr) return;
    watched = new WatchedAllocator(current, deleter);
  }
  set_allocator(watched);
}

void remove_memory_hooks() {
  if (watched != nullptr && c10::GetCPUAllocator() == watched) set_allocator(watched->inner());
}

}  // namespace skyline::collect
