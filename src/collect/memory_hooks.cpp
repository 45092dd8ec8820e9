// Allocations.
//
// torch's own reports reach only threads that inherit a profiler's state, and that slot is torch
// .profiler's. So the CPU allocator is wrapped instead: every block it hands out while we record
// carries a small header that knows its size, and whoever releases it, on whatever thread, tells us.
// Blocks that are older than the recording are not ours and stay silent; blocks that outlive it are
// released through us, silently.
#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>

#include <atomic>

#include "collect/op_hooks.h"
#include "collect/recorder.h"
#include "collect/thread_log.h"

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

void free_wrapped(void* context) {
  auto* const header = static_cast<BlockHeader*>(context);
  record_memory(header->data, -static_cast<int64_t>(header->bytes));
  header->free(header->context);
  this_thread_log()->headers.give(header);
}

class WatchedAllocator : public c10::Allocator {
 public:
  explicit WatchedAllocator(c10::Allocator* inner) : inner_(inner) {}

  c10::DataPtr allocate(size_t bytes) override {
    c10::DataPtr data = inner_->allocate(bytes);
    if (data.get() == nullptr) return data;
    BlockHeader* const header = this_thread_log()->headers.take();
    header->data = data.get();
    header->bytes = bytes;
    header->free = data.get_deleter();
    header->context = data.release_context();
    record_memory(header->data, static_cast<int64_t>(bytes));
    return {header->data, header, &free_wrapped, c10::Device(c10::DeviceType::CPU)};
  }

  // Raw blocks (from raw_allocate) have no header: the wrapped allocator frees them itself.
  c10::DeleterFnPtr raw_deleter() const override { return nullptr; }

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
  if (watched == nullptr || watched->inner() != current) watched = new WatchedAllocator(current);
  c10::SetCPUAllocator(watched, /*priority=*/UINT8_MAX);
}

void remove_memory_hooks() {
  if (watched != nullptr && c10::GetCPUAllocator() == watched)
    c10::SetCPUAllocator(watched->inner(), UINT8_MAX);
}

}  // namespace skyline::collect
