// EventRows: records of operators and ranges as the columns of one chunk under way.
#pragma once

#include <span>

#include "base/column.h"
#include "collect/log/chunk_sink.h"
#include "collect/tables/block_pool.h"

namespace skyline::collect {

class EventRows {
 public:
  size_t size() const { return start_.size(); }

  // All but those of memory.
  void take(std::span<const Record> records, uint32_t thread);

  // What the rows from `first` on name: numbers of names, signatures, stacks and collectives.
  std::span<const uint32_t> names(size_t first) const { return name_.span().subspan(first); }
  std::span<const uint32_t> shapes(size_t first) const { return shapes_.span().subspan(first); }
  std::span<const uint32_t> stacks(size_t first) const { return stack_.span().subspan(first); }
  std::span<const uint32_t> collectives(size_t first) const { return collective_.span().subspan(first); }

  // The rows so far, which begin anew then.
  void write_to(ChunkSink& sink);

 private:
  void resize(size_t rows);

  Column<uint32_t> thread_, name_, fwd_thread_, shapes_, stack_, collective_;
  Column<uint64_t> start_, duration_;
  Column<int64_t> sequence_;
  Column<uint8_t> kind_;
};

}  // namespace skyline::collect
