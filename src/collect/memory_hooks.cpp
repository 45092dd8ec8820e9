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

#include <atomic>

#include "collect/callback_scope.h"
#include "collect/hot.h"
#include "collect/op_hooks.h"

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

std::atomic<c10::DeleterFnPtr> free_inner = nullptr;

// Torch frees empty blocks too.
SKYLINE_HOT void free_watched(void* data) {
  if (data != nullptr) record_memory(data, 0);
  free_inner.load(std::memory_order_relaxed)(data);
}

class WatchedAllocator : public c10::Allocator {
 public:
  explicit WatchedAllocator(c10::Allocator* inner) : inner_(inner) {}

  SKYLINE_HOT c10::DataPtr allocate(size_t bytes) override {
    c10::DataPtr data = inner_->allocate(bytes);
    if (data.get() == nullptr) return data;
    // One that is not a plain block stays unseen, as it could not be seen to go.
    if (data.compare_exchange_deleter(inner_->raw_deleter(), &free_watched)) {
      record_memory(data.get(), static_cast<int64_t>(bytes));
    }
    return data;
  }

  // For raw_deallocate: any block of the wrapped allocator, watched or older.
  c10::DeleterFnPtr raw_deleter() const override { return &free_watched; }

  void copy_data(void* to, const void* from, std::size_t count) const override {
    inner_->copy_data(to, from, count);
  }

  c10::Allocator* inner() const { return inner_; }

 private:
  c10::Allocator* const inner_;
};

WatchedAllocator* watched = nullptr;  // made once, kept for ever: blocks may outlive the recording

}  // namespace

void install_memory_hooks() {
  c10::Allocator* const current = c10::GetCPUAllocator();
  if (watched != nullptr && current == watched) return;
  if (current->raw_deleter() == nullptr) return;  // an allocator whose blocks cannot be told apart
  free_inner = current->raw_deleter();
  if (watched == nullptr || watched->inner() != current) watched = new WatchedAllocator(current);
  c10::SetCPUAllocator(watched, /*priority=*/UINT8_MAX);
}

void remove_memory_hooks() {
  if (watched != nullptr && c10::GetCPUAllocator() == watched)
    c10::SetCPUAllocator(watched->inner(), UINT8_MAX);
}

}  // namespace skyline::collect
