// Reader: finds the chunks of a .skyline file by hopping from header to header, and unpacks the
// columns that are asked for. Any bytes may be given to it: sizes are checked before they are used.
//
// Immutable after open(); every const function may be called from any thread. Chunks belong to their reader
// and must not outlive it. The file may grow meanwhile, as a recorder's does. If it is cut or rewritten,
// columns are damaged and check_unchanged() says why.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/column.h"
#include "base/result.h"
#include "tracefile/decompressors.h"
#include "tracefile/layout.h"
#include "tracefile/schema.h"

namespace skyline::tracefile {

class StoredBytes;

// Texts of one column, in one block of memory.
class Texts {
 public:
  Texts() = default;
  // `bytes` are the lengths (u32, one per row), then the texts; they must add up.
  Texts(Column<char> bytes, size_t rows);
  explicit Texts(size_t rows);  // that many empty ones

  size_t size() const { return ends_.size(); }
  std::string_view operator[](size_t row) const {
    const uint32_t begin = row == 0 ? 0 : ends_[row - 1];
    return {bytes_.data() + first_ + begin, ends_[row] - begin};
  }

 private:
  Column<char> bytes_;
  Column<uint32_t> ends_;
  size_t first_ = 0;  // where the texts begin
};

class Chunk {
 public:
  TableId table() const { return table_; }  // maybe one that this program does not know
  size_t rows() const { return rows_; }
  uint64_t offset() const { return offset_; }  // of its header in the file
  std::span<const ColumnEntry> entries() const { return entries_; }
  Result<Column<char>> payload() const;  // the stored columns as they are, unchecked
  bool has(const ColumnSpec& column) const { return find(column.id) != nullptr; }

  // An error means that the stored bytes are damaged; other columns and chunks may be whole.
  template <typename T>
  Result<Column<T>> column(const NumberColumn<T>& column) const {
    SKYLINE_RETURN_IF_ERROR(prove_rows(column));
    Column<T> values;
    values.resize_uninitialized(rows_);
    SKYLINE_RETURN_IF_ERROR(read(column, std::span<T>(values.data(), rows_)));
    return values;
  }
  // The same into memory of the caller's; `to` has room for exactly rows().
  template <typename T>
  Status read(const NumberColumn<T>& column, std::span<T> to) const {
    CHECK(to.size() == rows_);
    if (!has(column)) {
      for (T& value : to) value = column.missing;
      return Done{};
    }
    return read_numbers(column, to.data());
  }
  Result<Texts> texts(const TextColumn& column) const;

  // Whether a column is stored that can unpack to this many rows, so that memory may be had for them. Other
  // columns may be damaged all the same.
  bool has_proof_of_rows() const;

  // Any column as its raw bytes (decoded numbers, or lengths and texts); for tools and tests.
  Result<Column<char>> raw(const ColumnEntry& entry) const;

 private:
  friend class Reader;

  const ColumnEntry* find(uint16_t column) const;
  uint64_t stored_at(const ColumnEntry& entry) const;  // its offset in the file
  bool fits_rows(const ColumnEntry& entry) const;
  // Before memory is had for a column: what is stored of it, or of others if it is missing, fits the rows.
  Status prove_rows(const ColumnSpec& column) const;
  Error damaged(uint16_t column, const char* what) const;
  Status read_numbers(const ColumnSpec& column, void* to) const;
  // Checks the entry and its stored bytes and writes raw_bytes bytes to `to`: decoded numbers, or
  // lengths and texts.
  Status decode(const ColumnEntry& entry, void* to) const;
  Status unpack(const ColumnEntry& entry, void* to) const;
  Error wrong_bytes(uint16_t column) const;

  TableId table_ = TableId::kEnd;
  size_t rows_ = 0;
  uint64_t offset_ = 0;
  uint64_t head_checksum_ = 0;
  std::span<const ColumnEntry> entries_;
  uint64_t payload_offset_ = 0;
  uint64_t payload_bytes_ = 0;
  const StoredBytes* bytes_ = nullptr;
  Decompressors* decompressors_ = nullptr;  // the reader's
};

// How the file ends. Everything before `offset` is usable, nothing behind it.
struct Ending {
  enum class Kind : uint8_t {
    kComplete,   // with the mark of a finished recording
    kTruncated,  // without it, or in the middle of a chunk
    kDamaged,    // at a chunk header whose checksum is wrong
  };
  Kind kind = Kind::kTruncated;
  uint64_t offset = 0;
  uint64_t rest_bytes = 0;  // from there to the end of the file
};

class Reader {
 public:
  // Fails if this is no .skyline file, or one of a newer major version.
  static Result<Reader> open(const std::string& path);
  // Bytes in memory; `name` is used in errors.
  static Result<Reader> over(std::string bytes, const std::string& name);

  Reader(Reader&&) noexcept;
  Reader& operator=(Reader&&) noexcept;
  ~Reader();

  std::string_view creator() const { return creator_; }
  std::span<const Chunk> chunks() const { return chunks_; }  // without the end mark
  const Ending& ending() const { return ending_; }
  uint64_t file_bytes() const;

  // An error once a column was found to be gone because somebody has cut or rewritten the file.
  Status check_unchanged(const std::string& name) const;

 private:
  explicit Reader(std::unique_ptr<StoredBytes> bytes);
  static Result<Reader> over(std::unique_ptr<StoredBytes> bytes, const std::string& name);

  Status read_header(const std::string& name);
  void find_chunks();

  std::unique_ptr<StoredBytes> bytes_;
  std::unique_ptr<Decompressors> decompressors_;
  std::string creator_;
  std::vector<std::vector<ColumnEntry>>
      entries_;  // of chunks_; each stays where it is when they grow in number
  std::vector<Chunk> chunks_;
  Ending ending_;
};

// Whether a file with these first bytes is meant for Reader.
bool is_tracefile(std::string_view first_bytes);

}  // namespace skyline::tracefile
