#include "tracefile/reader.h"

#include <zstd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "tracefile/checksum.h"
#include "tracefile/encoding.h"
#include "tracefile/stored_bytes.h"
#include "tracefile/unaligned.h"

namespace skyline::tracefile {
namespace {

bool is_text(uint8_t type) {
  return type == static_cast<uint8_t>(ElementType::kText) || type == static_cast<uint8_t>(ElementType::kBlob);
}

// The heads of chunks, some of which are so small that several are read at once.
class HeadWindow {
 public:
  explicit HeadWindow(const StoredBytes& bytes) : bytes_(bytes) {}

  // Empty if the file has become shorter than it was.
  std::string_view at(uint64_t offset, size_t size) {
    if (offset < begin_ || offset + size > begin_ + view_.size()) {
      constexpr uint64_t kBytes = 4096;
      begin_ = offset;
      view_ =
          bytes_.look(offset, std::max<uint64_t>(size, std::min(kBytes, bytes_.size() - offset)), buffer_);
    }
    return view_.empty() ? view_ : view_.substr(offset - begin_, size);
  }

 private:
  const StoredBytes& bytes_;
  Column<char> buffer_;
  uint64_t begin_ = 0;
  std::string_view view_;
};

}  // namespace

bool is_tracefile(std::string_view first_bytes) {
  return first_bytes.starts_with(
      std::string_view(reinterpret_cast<const char*>(kFileMagic), sizeof kFileMagic));
}

Texts::Texts(Column<char> bytes, size_t rows) : bytes_(std::move(bytes)), first_(rows * 4) {
  ends_.resize_uninitialized(rows);
  uint32_t end = 0;
  for (size_t i = 0; i < rows; ++i) ends_[i] = end += load<uint32_t>(bytes_.data() + i * 4);
  CHECK(first_ + end == bytes_.size());
}

Texts::Texts(size_t rows) { ends_.assign(rows, 0); }

const ColumnEntry* Chunk::find(uint16_t column) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const ColumnEntry& entry) { return entry.column == column; });
  return found == entries_.end() ? nullptr : &*found;
}

Error Chunk::damaged(uint16_t column, const char* what) const {
  return {"column " + std::to_string(column) + " of the chunk at byte " + std::to_string(offset_) + " " +
          what};
}

uint64_t Chunk::stored_at(const ColumnEntry& entry) const {
  uint64_t offset = payload_offset_;
  for (const ColumnEntry* before = entries_.data(); before != &entry; ++before)
    offset += padded(before->stored_bytes);
  return offset;
}

bool Chunk::fits_rows(const ColumnEntry& entry) const {
  const bool right_size = is_text(entry.type) ? entry.raw_bytes >= rows_ * 4
                                              : entry.raw_bytes == rows_ * element_bytes(entry.type);
  if (!right_size || entry.raw_bytes > kMaxColumnBytes) return false;
  if (entry.packing == static_cast<uint8_t>(Packing::kRaw)) return entry.stored_bytes == entry.raw_bytes;
  constexpr size_t kMostHeaderBytes = 18;  // of a zstd frame
  Column<char> buffer;
  const std::string_view header =
      bytes_->look(stored_at(entry), std::min<size_t>(entry.stored_bytes, kMostHeaderBytes), buffer);
  return ZSTD_getFrameContentSize(header.data(), header.size()) == entry.raw_bytes;
}

bool Chunk::has_proof_of_rows() const {
  return rows_ == 0 || std::any_of(entries_.begin(), entries_.end(),
                                   [&](const ColumnEntry& entry) { return fits_rows(entry); });
}

Status Chunk::prove_rows(const ColumnSpec& column) const {
  const ColumnEntry* entry = find(column.id);
  if (entry == nullptr ? has_proof_of_rows() : fits_rows(*entry)) return Done{};
  if (entry != nullptr) {
    Column<char> buffer;
    const std::string_view stored = bytes_->look(stored_at(*entry), entry->stored_bytes, buffer);
    const bool is_right =
        stored.size() == entry->stored_bytes && checksum(stored.data(), stored.size()) == entry->checksum;
    if (!is_right) return wrong_bytes(column.id);
  }
  return damaged(column.id, "has a size that does not fit its rows");
}

Status Chunk::read_numbers(const ColumnSpec& column, void* to) const {
  const ColumnEntry& entry = *find(column.id);
  if (entry.type != static_cast<uint8_t>(column.type))
    return damaged(column.id, "has another type than expected");
  return decode(entry, to);
}

Result<Texts> Chunk::texts(const TextColumn& column) const {
  SKYLINE_RETURN_IF_ERROR(prove_rows(column));
  const ColumnEntry* entry = find(column.id);
  if (entry == nullptr) return Texts(rows_);
  if (entry->type != static_cast<uint8_t>(column.type))
    return damaged(column.id, "has another type than expected");
  SKYLINE_TRY(Column<char> bytes, raw(*entry));
  uint64_t sum = rows_ * 4;
  for (size_t i = 0; i < rows_; ++i) sum += load<uint32_t>(bytes.data() + i * 4);
  if (sum != bytes.size()) return damaged(column.id, "has texts whose lengths do not add up");
  return Texts(std::move(bytes), rows_);
}

Result<Column<char>> Chunk::raw(const ColumnEntry& entry) const {
  Column<char> bytes;
  if (entry.raw_bytes > kMaxColumnBytes) return damaged(entry.column, "is larger than any writer makes it");
  bytes.resize_uninitialized(entry.raw_bytes);
  SKYLINE_RETURN_IF_ERROR(decode(entry, bytes.data()));
  return bytes;
}

Status Chunk::decode(const ColumnEntry& entry, void* to) const {
  // The size follows from the rows before anything is trusted to it.
  const size_t size = element_bytes(entry.type);
  const bool right_size =
      is_text(entry.type) ? entry.raw_bytes >= rows_ * 4 : entry.raw_bytes == rows_ * size;
  if (!right_size) return damaged(entry.column, "has a size that does not fit its rows");
  const auto encoding = static_cast<Encoding>(entry.encoding);
  const bool makes_sense = encoding == Encoding::kPlain || (is_known(encoding) && size > 0);
  if (!makes_sense) return damaged(entry.column, "is encoded in a way that this version does not know");

  if (!has_split(encoding)) {
    SKYLINE_RETURN_IF_ERROR(unpack(entry, to));
  } else {
    Column<char> split;
    split.resize_uninitialized(entry.raw_bytes);
    SKYLINE_RETURN_IF_ERROR(unpack(entry, split.data()));
    undo_split(split.data(), rows_, size, to);
  }
  if (has_delta(encoding)) undo_delta(to, rows_, size);
  return Done{};
}

Status Chunk::unpack(const ColumnEntry& entry, void* to) const {
  const uint64_t offset = stored_at(entry);
  switch (static_cast<Packing>(entry.packing)) {
    case Packing::kRaw: {
      if (entry.stored_bytes != entry.raw_bytes) {
        return damaged(entry.column, "has a size that does not fit its rows");
      }
      const bool is_right =
          bytes_->read(offset, to, entry.stored_bytes) && checksum(to, entry.stored_bytes) == entry.checksum;
      if (!is_right) return wrong_bytes(entry.column);
      return Done{};
    }
    case Packing::kZstd: {
      Column<char> buffer;
      const std::string_view stored = bytes_->look(offset, entry.stored_bytes, buffer);
      const bool is_right =
          stored.size() == entry.stored_bytes && checksum(stored.data(), stored.size()) == entry.checksum;
      if (!is_right) return wrong_bytes(entry.column);
      const size_t n = decompressors_->unpack(to, entry.raw_bytes, stored.data(), stored.size());
      if (ZSTD_isError(n) || n != entry.raw_bytes)
        return damaged(entry.column, "does not unpack to its size");
      return Done{};
    }
  }
  return damaged(entry.column, "is packed in a way that this version does not know");
}

// Damage leaves the chunk's header as it was when the file was opened; writing another file over it does not.
Error Chunk::wrong_bytes(uint16_t column) const {
  ChunkHeader now = {};
  const bool is_same = bytes_->read(offset_, &now, sizeof now) && now.checksum == head_checksum_;
  if (!is_same) bytes_->note_change();
  return damaged(column, is_same ? "has a wrong checksum" : "is gone, as the file was cut or rewritten");
}

Result<Column<char>> Chunk::payload() const {
  Column<char> stored;
  stored.resize_uninitialized(payload_bytes_);
  if (!bytes_->read(payload_offset_, stored.data(), payload_bytes_))
    return Error{"the chunk at byte " + std::to_string(offset_) + " cannot be read any more"};
  return stored;
}

Reader::Reader(std::unique_ptr<StoredBytes> bytes)
    : bytes_(std::move(bytes)), decompressors_(std::make_unique<Decompressors>()) {}
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;
Reader::~Reader() = default;

uint64_t Reader::file_bytes() const { return bytes_->size(); }

Status Reader::check_unchanged(const std::string& name) const {
  if (bytes_->has_changed()) return Error{name + " was cut or rewritten while it was read; read it again"};
  return Done{};
}

Result<Reader> Reader::open(const std::string& path) {
  SKYLINE_TRY(std::unique_ptr<StoredBytes> bytes, StoredBytes::open(path));
  return over(std::move(bytes), path);
}

Result<Reader> Reader::over(std::string bytes, const std::string& name) {
  return over(std::make_unique<StoredBytes>(std::move(bytes)), name);
}

Result<Reader> Reader::over(std::unique_ptr<StoredBytes> bytes, const std::string& name) {
  Reader reader(std::move(bytes));
  const Status header = reader.read_header(name);
  if (header.ok()) reader.find_chunks();
  SKYLINE_RETURN_IF_ERROR(reader.check_unchanged(name));
  if (!header.ok()) return header.error();
  return reader;
}

Status Reader::read_header(const std::string& name) {
  Column<char> buffer;
  const std::string_view head = bytes_->look(0, std::min(bytes_->size(), sizeof(FileHeader)), buffer);
  if (!is_tracefile(head))
    return Error{name + " is not a .skyline file; does the name belong to another format?"};
  if (head.size() < sizeof(FileHeader)) {
    return Error{name + " ends within its first " + std::to_string(sizeof(FileHeader)) +
                 " bytes; was the recording stopped at once?"};
  }
  const auto header = load<FileHeader>(head.data());
  if (checksum(head.data(), offsetof(FileHeader, checksum)) != header.checksum) {
    return Error{name + " has a damaged header; fetch or record it again"};
  }
  if (header.major_version != kMajorVersion) {
    return Error{name + " is in version " + std::to_string(header.major_version) +
                 " of the format and this program reads version " + std::to_string(kMajorVersion) +
                 "; use the version of Skyline that wrote it, or a newer one"};
  }
  const std::string_view creator(header.creator, sizeof header.creator);
  creator_ = creator.substr(0, creator.find('\0'));
  return Done{};
}

// Hops from header to header. A chunk is accepted if it lies within the file, is the one that is due,
// and its header and entries carry the right checksum; its columns are checked when they are read.
void Reader::find_chunks() {
  uint64_t offset = sizeof(FileHeader);
  const uint64_t size = bytes_->size();
  HeadWindow window(*bytes_);
  const auto stop = [&](Ending::Kind kind) { ending_ = {kind, offset, size - offset}; };
  for (uint64_t sequence = 0;; ++sequence) {
    const uint64_t left = size - offset;
    if (left < sizeof(ChunkHeader)) return stop(Ending::Kind::kTruncated);
    const std::string_view start = window.at(offset, sizeof(ChunkHeader));
    if (start.empty()) return stop(Ending::Kind::kTruncated);
    const auto header = load<ChunkHeader>(start.data());
    if (header.magic != kChunkMagic || header.sequence != sequence) return stop(Ending::Kind::kDamaged);
    const uint64_t head_bytes = sizeof(ChunkHeader) + header.columns * sizeof(ColumnEntry);
    if (left < head_bytes) return stop(Ending::Kind::kTruncated);

    std::string head(window.at(offset, head_bytes));
    if (head.empty()) return stop(Ending::Kind::kTruncated);
    const auto stated = load<ChunkHeader>(head.data()).checksum;
    std::fill_n(head.begin() + offsetof(ChunkHeader, checksum), sizeof stated, '\0');
    if (checksum(head.data(), head.size()) != stated) return stop(Ending::Kind::kDamaged);

    std::vector<ColumnEntry> entries(header.columns);
    if (!entries.empty())
      std::memcpy(entries.data(), head.data() + sizeof header, entries.size() * sizeof(ColumnEntry));
    // Sums that cannot overflow: no part is larger than the file.
    uint64_t bytes = head_bytes;
    for (const ColumnEntry& entry : entries) {
      if (entry.stored_bytes > left || bytes > left) return stop(Ending::Kind::kTruncated);
      bytes += padded(entry.stored_bytes);
    }
    const uint64_t most_rows = header.columns == 0 ? 0 : kMaxRows;
    if (bytes != header.bytes || header.rows > most_rows) return stop(Ending::Kind::kDamaged);
    if (bytes > left) return stop(Ending::Kind::kTruncated);

    Chunk chunk;
    chunk.table_ = static_cast<TableId>(header.table);
    chunk.rows_ = header.rows;
    chunk.offset_ = offset;
    chunk.head_checksum_ = stated;
    chunk.payload_offset_ = offset + head_bytes;
    chunk.payload_bytes_ = bytes - head_bytes;
    chunk.bytes_ = bytes_.get();
    chunk.decompressors_ = decompressors_.get();
    offset += bytes;
    if (chunk.table_ == TableId::kEnd) return stop(Ending::Kind::kComplete);
    chunk.entries_ = entries_.emplace_back(std::move(entries));
    chunks_.push_back(chunk);
  }
}

}  // namespace skyline::tracefile
