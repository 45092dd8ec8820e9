// The columns of one chunk, read one after the other; ok() tells afterwards whether all were whole.
#pragma once

#include <utility>

#include "tracefile/tracefile.h"

namespace skyline::ingest::native {

class ChunkColumns {
 public:
  explicit ChunkColumns(const tracefile::Chunk& chunk) : chunk_(chunk) {}

  // Empty when damaged.
  template <typename T>
  Column<T> operator()(const tracefile::NumberColumn<T>& column) {
    return take(chunk_.column(column));
  }
  tracefile::Texts operator()(const tracefile::TextColumn& column) { return take(chunk_.texts(column)); }

  bool ok() const { return ok_; }

 private:
  template <typename T>
  T take(Result<T> result) {
    if (result.ok()) return std::move(result).value();
    ok_ = false;
    return {};
  }

  const tracefile::Chunk& chunk_;
  bool ok_ = true;
};

}  // namespace skyline::ingest::native
