#include "tracefile/reader.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "tracefile/checksum.h"
#include "tracefile/encoding.h"

namespace skyline::tracefile {
namespace {

// One per thread: making one costs as much as unpacking a small column.
ZSTD_DCtx* thread_decompressor() {
  struct Holder {
    ZSTD_DCtx* context = ZSTD_createDCtx();
    ~Holder() { ZSTD_freeDCtx(context); }
  };
  thread_local const Holder holder;
  return holder.context;
}

template <typename T>
T load(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

bool is_text(uint8_t type) {
  return type == static_cast<uint8_t>(ElementType::kText) || type == static_cast<uint8_t>(ElementType::kBlob);
}

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

Status Chunk::read_numbers(const ColumnSpec& column, void* to) const {
  const ColumnEntry& entry = *find(column.id);
  if (entry.type != static_cast<uint8_t>(column.type))
    return damaged(column.id, "has another type than expected");
  return decode(entry, to);
}

Result<Texts> Chunk::texts(const TextColumn& column) const {
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
  SKYLINE_TRY([[maybe_unused]] const Done done, decode(entry, bytes.data()));
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
    SKYLINE_TRY([[maybe_unused]] const Done done, unpack(entry, to));
  } else {
    Column<char> split;
    split.resize_uninitialized(entry.raw_bytes);
    SKYLINE_TRY([[maybe_unused]] const Done done, unpack(entry, split.data()));
    undo_split(split.data(), rows_, size, to);
  }
  if (has_delta(encoding)) undo_delta(to, rows_, size);
  return Done{};
}

Status Chunk::unpack(const ColumnEntry& entry, void* to) const {
  const char* stored = payload_;
  for (const ColumnEntry* before = entries_.data(); before != &entry; ++before)
    stored += padded(before->stored_bytes);
  if (checksum(stored, entry.stored_bytes) != entry.checksum)
    return damaged(entry.column, "has a wrong checksum");

  switch (static_cast<Packing>(entry.packing)) {
    case Packing::kRaw:
      if (entry.stored_bytes != entry.raw_bytes) {
        return damaged(entry.column, "has a size that does not fit its rows");
      }
      if (entry.raw_bytes > 0) std::memcpy(to, stored, entry.raw_bytes);
      return Done{};
    case Packing::kZstd: {
      const size_t n =
          ZSTD_decompressDCtx(thread_decompressor(), to, entry.raw_bytes, stored, entry.stored_bytes);
      if (ZSTD_isError(n) || n != entry.raw_bytes)
        return damaged(entry.column, "does not unpack to its size");
      return Done{};
    }
  }
  return damaged(entry.column, "is packed in a way that this version does not know");
}

// A mapped file, or bytes of our own.
class Reader::Memory {
 public:
  explicit Memory(std::string bytes) : own_((bytes.size() + 7) / 8), size_(bytes.size()) {
    // Chunks begin at multiples of 8, and are looked at in place.
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(own_.data()));
    data_ = reinterpret_cast<const char*>(own_.data());
  }
  Memory(void* mapped, size_t size) : mapped_(mapped), data_(static_cast<const char*>(mapped)), size_(size) {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() {
    if (mapped_ != nullptr) ::munmap(mapped_, size_);
  }

  std::string_view bytes() const { return {data_, size_}; }

 private:
  void* mapped_ = nullptr;
  std::vector<uint64_t> own_;
  const char* data_ = nullptr;
  size_t size_ = 0;
};

Reader::Reader(std::unique_ptr<Memory> memory) : memory_(std::move(memory)), bytes_(memory_->bytes()) {}
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;
Reader::~Reader() = default;

Result<Reader> Reader::open(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status = {};
  if (fd < 0 || ::fstat(fd, &status) != 0) {
    const int error = errno;
    if (fd >= 0) ::close(fd);
    return Error{"cannot open " + path + ": " + std::strerror(error)};
  }
  const auto size = static_cast<size_t>(status.st_size);
  if (!S_ISREG(status.st_mode) || size == 0) {
    ::close(fd);
    return over("", path);
  }
  void* mapped = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  const int error = errno;
  ::close(fd);
  if (mapped == MAP_FAILED) return Error{"cannot read " + path + ": " + std::strerror(error)};
  Reader reader(std::make_unique<Memory>(mapped, size));
  SKYLINE_TRY([[maybe_unused]] const Done done, reader.read_header(path));
  reader.find_chunks();
  return reader;
}

Result<Reader> Reader::over(std::string bytes, const std::string& name) {
  Reader reader(std::make_unique<Memory>(std::move(bytes)));
  SKYLINE_TRY([[maybe_unused]] const Done done, reader.read_header(name));
  reader.find_chunks();
  return reader;
}

Status Reader::read_header(const std::string& name) {
  if (!is_tracefile(bytes_))
    return Error{name + " is not a .skyline file; does the name belong to another format?"};
  if (bytes_.size() < sizeof(FileHeader)) {
    return Error{name + " ends within its first " + std::to_string(sizeof(FileHeader)) +
                 " bytes; was the recording stopped at once?"};
  }
  const auto header = load<FileHeader>(bytes_.data());
  if (checksum(bytes_.data(), offsetof(FileHeader, checksum)) != header.checksum) {
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
  const auto stop = [&](Ending::Kind kind) { ending_ = {kind, offset, bytes_.size() - offset}; };
  for (uint64_t sequence = 0;; ++sequence) {
    const uint64_t left = bytes_.size() - offset;
    if (left < sizeof(ChunkHeader)) return stop(Ending::Kind::kTruncated);
    const char* at = bytes_.data() + offset;
    auto header = load<ChunkHeader>(at);
    if (header.magic != kChunkMagic || header.sequence != sequence) return stop(Ending::Kind::kDamaged);
    const uint64_t head_bytes = sizeof(ChunkHeader) + header.columns * sizeof(ColumnEntry);
    if (left < head_bytes) return stop(Ending::Kind::kTruncated);

    const uint64_t stated = header.checksum;
    std::string head(at, head_bytes);
    std::fill_n(head.begin() + offsetof(ChunkHeader, checksum), sizeof stated, '\0');
    if (checksum(head.data(), head.size()) != stated) return stop(Ending::Kind::kDamaged);

    Chunk chunk;
    chunk.table_ = static_cast<TableId>(header.table);
    chunk.rows_ = header.rows;
    chunk.offset_ = offset;
    chunk.entries_ = {reinterpret_cast<const ColumnEntry*>(at + sizeof(ChunkHeader)), header.columns};
    chunk.payload_ = at + head_bytes;
    // Sums that cannot overflow: no part is larger than the file.
    uint64_t bytes = head_bytes;
    for (const ColumnEntry& entry : chunk.entries_) {
      if (entry.stored_bytes > left || bytes > left) return stop(Ending::Kind::kTruncated);
      bytes += padded(entry.stored_bytes);
    }
    const uint64_t most_rows = header.columns == 0 ? 0 : kMaxRows;
    if (bytes != header.bytes || header.rows > most_rows) return stop(Ending::Kind::kDamaged);
    if (bytes > left) return stop(Ending::Kind::kTruncated);

    chunk.payload_bytes_ = bytes - head_bytes;
    offset += bytes;
    if (chunk.table_ == TableId::kEnd) return stop(Ending::Kind::kComplete);
    chunks_.push_back(chunk);
  }
}

}  // namespace skyline::tracefile
