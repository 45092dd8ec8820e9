// Allocations.
//
// torch's own reports reach only threads that inherit a profiler's state, and that slot is
// torch.profiler's. So the CPU allocator is wrapped instead. A block keeps the address and the context
// that the wrapped allocator gave it, since torch also frees blocks by their bare address
// (raw_deallocate), before, during or after a recording; only its deleter is ours, and a table knows
// its size. Blocks that are older than the recording are not in the table and stay silent; blocks that
// outlive it are released through us, silently.
#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>

#include <atomic>

#include "collect/address_sizes.h"
#include "collect/callback_scope.h"
#include "collect/op_hooks.h"

namespace skyline::collect {
namespace {

std::atomic<int64_t> total_allocated = 0;

void record_memory(const void* address, int64_t bytes) {
  const int64_t total = total_allocated.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  ThreadLog* const log = this_thread_log();
  const CallbackScope scope(*log);
  if (!scope.entered()) return;
  Record record;
  record.start = read_ticks();
  record.end = reinterpret_cast<uintptr_t>(address);
  record.sequence = bytes;
  record.name = static_cast<uint32_t>(static_cast<uint64_t>(total));
  record.shapes = static_cast<uint32_t>(static_cast<uint64_t>(total) >> 32);
  record.stack = 0;
  record.fwd_thread = 0;
  record.kind = static_cast<uint32_t>(RecordKind::kMemory);
  log->append(record);
}

AddressSizes* const sizes = new AddressSizes;  // blocks may be freed after static destruction

std::atomic<c10::DeleterFnPtr> free_inner = nullptr;

void free_watched(void* data) {
  size_t bytes = 0;
  if (sizes->remove(data, bytes)) record_memory(data, -static_cast<int64_t>(bytes));
  free_inner.load(std::memory_order_relaxed)(data);
}

class WatchedAllocator : public c10::Allocator {
 public:
  explicit WatchedAllocator(c10::Allocator* inner) : inner_(inner) {}

  c10::DataPtr allocate(size_t bytes) override {
    c10::DataPtr data = inner_->allocate(bytes);
    if (data.get() == nullptr) return data;
    sizes->insert(data.get(), bytes);
    record_memory(data.get(), static_cast<int64_t>(bytes));
    if (!data.compare_exchange_deleter(inner_->raw_deleter(), &free_watched)) {
      size_t unused = 0;  // not a plain block: it is seen to come, but not to go
      sizes->remove(data.get(), unused);
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
