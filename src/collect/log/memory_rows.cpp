#include "collect/log/memory_rows.h"

namespace skyline::collect {
namespace {

namespace table = skyline::tracefile;

constexpr size_t kManyBlocks = 256 * 1024;  // fewer are no burden

}  // namespace

void MemoryRows::resize(size_t rows) {
  const auto resize_all = [rows](auto&... columns) { (columns.resize_uninitialized(rows), ...); };
  resize_all(thread_, ticks_, address_, bytes_);
}

void MemoryRows::take(std::span<const Record> records, uint32_t thread) {
  const size_t first = size();
  resize(first + records.size());
  size_t row = first;
  const auto lock = live_blocks_.lock();
  for (const Record& record : records) {
    if (static_cast<RecordKind>(record.kind) != RecordKind::kMemory) continue;
    live_blocks_.note(record.end, record.start, record.sequence);
    thread_[row] = thread;
    ticks_[row] = record.start;
    address_[row] = record.end;
    bytes_[row] = record.sequence;
    ++row;
  }
  resize(is_wanted_ ? row : first);
}

void MemoryRows::write_to(ChunkSink& sink) {
  if (ticks_.empty()) return;
  table::ChunkBuilder& chunk = sink.begin(table::TableId::kMemory);
  chunk.add(table::memory::kThread, thread_.span());
  chunk.add(table::memory::kTicks, ticks_.span());
  chunk.add(table::memory::kAddress, address_.span());
  chunk.add(table::memory::kBytes, bytes_.span());
  sink.append();
  resize(0);
}

void MemoryRows::write_live_blocks(uint64_t began, ChunkSink& sink) const {
  Column<uint64_t> addresses;
  Column<int64_t> sizes;
  {
    const auto lock = live_blocks_.lock();
    live_blocks_.forget_released(began);
    for (const LiveBlocks::Block& block : live_blocks_.alive()) {
      addresses.push_back(block.address);
      sizes.push_back(block.bytes);
    }
  }
  if (addresses.empty()) return;  // as in every first recording
  table::ChunkBuilder& chunk = sink.begin(table::TableId::kLiveBlocks);
  chunk.add(table::live_blocks::kAddress, addresses.span());
  chunk.add(table::live_blocks::kBytes, sizes.span());
  sink.append();
}

void MemoryRows::forget_released(uint64_t ticks) const {
  const auto lock = live_blocks_.lock();
  if (live_blocks_.known() > kManyBlocks) live_blocks_.forget_released(ticks);
}

}  // namespace skyline::collect
