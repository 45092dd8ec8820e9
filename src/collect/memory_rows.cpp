#include "collect/memory_rows.h"

namespace skyline::collect {
namespace {

namespace table = skyline::tracefile;

constexpr size_t kManyBlocks = 256 * 1024;  // fewer are no burden

}  // namespace

void MemoryRows::take(std::span<const Record> records, uint32_t thread) {
  const auto lock = live_blocks_.lock();
  for (const Record& record : records) {
    if (static_cast<RecordKind>(record.kind) != RecordKind::kMemory) continue;
    live_blocks_.note(record.end, record.start, record.sequence);
    if (!is_wanted_) continue;
    thread_.push_back(thread);
    ticks_.push_back(record.start);
    address_.push_back(record.end);
    bytes_.push_back(record.sequence);
  }
}

bool MemoryRows::move_to(table::ChunkBuilder& chunk) {
  if (ticks_.empty()) return false;
  chunk.restart(table::TableId::kMemory);
  chunk.add(table::memory::kThread, thread_.span());
  chunk.add(table::memory::kTicks, ticks_.span());
  chunk.add(table::memory::kAddress, address_.span());
  chunk.add(table::memory::kBytes, bytes_.span());
  const auto clear = [](auto&... columns) { (columns.clear(), ...); };
  clear(thread_, ticks_, address_, bytes_);
  return true;
}

bool MemoryRows::write_live_blocks(uint64_t began, table::ChunkBuilder& chunk) const {
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
  if (addresses.empty()) return false;  // as in every first recording
  chunk.restart(table::TableId::kLiveBlocks);
  chunk.add(table::live_blocks::kAddress, addresses.span());
  chunk.add(table::live_blocks::kBytes, sizes.span());
  return true;
}

void MemoryRows::forget_released(uint64_t ticks) const {
  const auto lock = live_blocks_.lock();
  if (live_blocks_.known() > kManyBlocks) live_blocks_.forget_released(ticks);
}

}  // namespace skyline::collect
