#include "tracefile/chunk_builder.h"

#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <cstring>

#include "base/out_of_memory.h"
#include "tracefile/checksum.h"
#include "tracefile/encoding.h"

namespace skyline::tracefile {

struct ChunkBuilder::Compressor {
  ZSTD_CCtx* context = allocated(ZSTD_createCCtx());

  Compressor() = default;
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;
  ~Compressor() { ZSTD_freeCCtx(context); }
};

ChunkBuilder::ChunkBuilder(TableId table, int zstd_level)
    : table_(table), zstd_level_(zstd_level), compressor_(std::make_unique<Compressor>()) {}
ChunkBuilder::ChunkBuilder(ChunkBuilder&&) noexcept = default;
ChunkBuilder& ChunkBuilder::operator=(ChunkBuilder&&) noexcept = default;
ChunkBuilder::~ChunkBuilder() = default;

void ChunkBuilder::restart(TableId table) {
  table_ = table;
  rows_ = 0;
  mistake_ = nullptr;
  entries_.clear();
  payload_.clear();
}

void ChunkBuilder::add_numbers(const ColumnSpec& column, const void* values, size_t count, size_t size,
                               Encoding encoding) {
  begin_column(column, count);
  if (has_delta(encoding) && column.type == ElementType::kF64) mistake_ = "has a delta of fractions";
  if (mistake_ != nullptr) return;
  const void* encoded = values;
  if (has_delta(encoding)) {
    delta_.resize_uninitialized(count * size);
    apply_delta(encoded, count, size, delta_.data());
    encoded = delta_.data();
  }
  if (has_split(encoding)) {
    scratch_.resize_uninitialized(count * size);
    apply_split(encoded, count, size, scratch_.data());
    encoded = scratch_.data();
  }
  pack(column, encoding, encoded, count * size);
}

void ChunkBuilder::add(const TextColumn& column, std::span<const std::string_view> texts) {
  begin_column(column, texts.size());
  size_t bytes = texts.size() * 4;
  for (const std::string_view text : texts) bytes += text.size();
  if (bytes > kMaxColumnBytes) return pack(column, Encoding::kPlain, nullptr, bytes);
  scratch_.resize_uninitialized(bytes);
  char* length_at = scratch_.data();
  char* text_at = length_at + texts.size() * 4;
  for (const std::string_view text : texts) {
    const auto length = static_cast<uint32_t>(text.size());
    std::memcpy(length_at, &length, 4);
    length_at += 4;
    text_at = std::copy(text.begin(), text.end(), text_at);
  }
  pack(column, Encoding::kPlain, scratch_.data(), bytes);
}

void ChunkBuilder::add(const TextColumn& column, std::span<const uint32_t> lengths, std::string_view bytes) {
  begin_column(column, lengths.size());
  uint64_t sum = 0;
  for (const uint32_t length : lengths) sum += length;
  if (sum != bytes.size()) mistake_ = "has texts whose lengths do not add up";
  const size_t size = lengths.size_bytes() + bytes.size();
  if (size > kMaxColumnBytes) return pack(column, Encoding::kPlain, nullptr, size);
  scratch_.resize_uninitialized(size);
  if (!lengths.empty()) std::memcpy(scratch_.data(), lengths.data(), lengths.size_bytes());
  std::copy(bytes.begin(), bytes.end(), scratch_.data() + lengths.size_bytes());
  pack(column, Encoding::kPlain, scratch_.data(), size);
}

void ChunkBuilder::begin_column(const ColumnSpec& column, size_t rows) {
  if (entries_.empty()) rows_ = rows;
  if (rows > kMaxRows) mistake_ = "has too many rows";
  if (rows != rows_) mistake_ = "has columns of different length";
  if (column.table != table_) mistake_ = "has a column of another table";
  for (const ColumnEntry& entry : entries_) {
    if (entry.column == column.id) mistake_ = "has a column twice";
  }
}

void ChunkBuilder::pack(const ColumnSpec& column, Encoding encoding, const void* raw, size_t size) {
  if (size > kMaxColumnBytes) mistake_ = "has a column that is too large";
  if (mistake_ != nullptr) return;
  const size_t begin = payload_.size();
  const size_t bound = ZSTD_compressBound(size);
  char* to = payload_.extend_uninitialized(padded(std::max(bound, size)));
  size_t stored = ZSTD_compressCCtx(compressor_->context, to, bound, raw, size, zstd_level_);
  if (ZSTD_getErrorCode(stored) == ZSTD_error_memory_allocation) throw std::bad_alloc();
  const bool shrinks = !ZSTD_isError(stored) && stored < size;
  if (!shrinks) {
    stored = size;
    if (size > 0) std::memcpy(to, raw, size);
  }
  std::fill(to + stored, to + padded(stored), '\0');
  payload_.resize_uninitialized(begin + padded(stored));
  entries_.push_back({.column = column.id,
                      .type = static_cast<uint8_t>(column.type),
                      .encoding = static_cast<uint8_t>(encoding),
                      .packing = static_cast<uint8_t>(shrinks ? Packing::kZstd : Packing::kRaw),
                      .reserved = {},
                      .stored_bytes = stored,
                      .raw_bytes = size,
                      .checksum = checksum(to, stored)});
}

}  // namespace skyline::tracefile
