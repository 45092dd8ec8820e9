// ChunkBuilder: columns of one table, packed as they are added. Reused chunk after chunk it stops
// allocating. Not for several threads at once; several builders on several threads are fine.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <type_traits>

#include "base/column.h"
#include "base/result.h"
#include "tracefile/layout.h"
#include "tracefile/schema.h"

namespace skyline::tracefile {

// Of zstd. 1 packs 400 MB/s on one core; the levels above win a tenth and cost a multiple.
inline constexpr int kDefaultLevel = 1;

class ChunkBuilder {
 public:
  explicit ChunkBuilder(TableId table, int zstd_level = kDefaultLevel);
  ChunkBuilder(ChunkBuilder&&) noexcept;
  ChunkBuilder& operator=(ChunkBuilder&&) noexcept;
  ~ChunkBuilder();

  // Empties it for another chunk; memory is kept.
  void restart(TableId table);

  // Every column of a chunk has the same number of rows, belongs to its table and is added once.
  // A breach of this makes Writer::append refuse the chunk, since a recorder must not abort.
  template <typename T>
  void add(const NumberColumn<T>& column, std::type_identity_t<std::span<const T>> values) {
    add(column, values, column.encoding);
  }
  template <typename T>
  void add(const NumberColumn<T>& column, std::type_identity_t<std::span<const T>> values,
           Encoding encoding) {
    add_numbers(column, values.data(), values.size(), sizeof(T), encoding);
  }
  void add(const TextColumn& column, std::span<const std::string_view> texts);
  // Texts that stand one behind the other in `bytes`.
  void add(const TextColumn& column, std::span<const uint32_t> lengths, std::string_view bytes);

  TableId table() const { return table_; }
  size_t rows() const { return rows_; }
  size_t columns() const { return entries_.size(); }
  size_t packed_bytes() const { return payload_.size(); }

 private:
  friend class Writer;
  struct Compressor;

  void add_numbers(const ColumnSpec& column, const void* values, size_t count, size_t size,
                   Encoding encoding);
  void begin_column(const ColumnSpec& column, size_t rows);
  void pack(const ColumnSpec& column, Encoding encoding, const void* raw, size_t size);

  TableId table_;
  int zstd_level_;
  std::unique_ptr<Compressor> compressor_;
  size_t rows_ = 0;
  const char* mistake_ = nullptr;  // the first one
  Column<ColumnEntry> entries_;
  Column<char> payload_;
  Column<char> delta_;
  Column<char> scratch_;
};

}  // namespace skyline::tracefile
