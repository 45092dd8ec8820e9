// MemoryRows: what the file says of memory, on the writer's thread.
#pragma once

#include <span>

#include "base/column.h"
#include "collect/log/chunk_sink.h"
#include "collect/tables/block_pool.h"
#include "collect/tables/live_blocks.h"

namespace skyline::collect {

class MemoryRows {
 public:
  // `is_wanted`: memory is recorded. Where it is not, blocks of an earlier recording may still go.
  MemoryRows(LiveBlocks& live_blocks, bool is_wanted) : live_blocks_(live_blocks), is_wanted_(is_wanted) {}

  size_t size() const { return ticks_.size(); }
  void take(std::span<const Record> records, uint32_t thread);

  // The rows so far, which begin anew then.
  void write_to(ChunkSink& sink);
  // Blocks that earlier recordings saw, all of whose records are older than `began`.
  void write_live_blocks(uint64_t began, ChunkSink& sink) const;

  // All records that are older than `ticks` have been taken.
  void forget_released(uint64_t ticks) const;

 private:
  void resize(size_t rows);

  LiveBlocks& live_blocks_;
  const bool is_wanted_;
  Column<uint32_t> thread_;
  Column<uint64_t> ticks_, address_;
  Column<int64_t> bytes_;
};

}  // namespace skyline::collect
