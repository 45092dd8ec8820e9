// Any bytes as a .skyline file: chunks are found, every column is unpacked, and reading one again gives the
// size as promised. Chance never hits a checksum, so the bytes are also read with their checksums set right.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "tracefile/checksum.h"
#include "tracefile/tracefile.h"

namespace {

using namespace skyline::tracefile;

void read_everything(const Reader& reader) {
  for (const Chunk& chunk : reader.chunks()) {
    for (const ColumnEntry& entry : chunk.entries()) {
      const skyline::Result<skyline::Column<char>> raw = chunk.raw(entry);
      if (!raw.ok()) continue;
      CHECK(raw.value().size() == entry.raw_bytes);
    }
    const skyline::Result<Texts> texts = chunk.texts(strings::kText);
    for (size_t row = 0; texts.ok() && row < texts.value().size(); ++row) {
      CHECK(texts.value()[row].size() <= kMaxColumnBytes);
    }
    const skyline::Result<skyline::Column<uint64_t>> starts = chunk.column(events::kStartTicks);
    CHECK(!starts.ok() || starts.value().size() == chunk.rows());
  }
}

template <typename T>
T load(const std::string& bytes, size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

void sign(std::string& bytes, size_t checksum_at, size_t begin, size_t end) {
  const uint64_t sum = checksum(bytes.data() + begin, end - begin);
  std::memcpy(bytes.data() + checksum_at, &sum, sizeof sum);
}

// Every checksum that can be found by hopping, as a writer would have set it.
std::string signed_again(std::string bytes) {
  if (bytes.size() < sizeof(FileHeader)) return bytes;
  sign(bytes, offsetof(FileHeader, checksum), 0, offsetof(FileHeader, checksum));
  for (size_t at = sizeof(FileHeader); at + sizeof(ChunkHeader) <= bytes.size();) {
    const auto header = load<ChunkHeader>(bytes, at);
    const size_t payload = at + sizeof header + header.columns * sizeof(ColumnEntry);
    if (header.magic != kChunkMagic || payload > bytes.size()) break;
    size_t stored = payload;
    for (size_t entry_at = at + sizeof header; entry_at < payload; entry_at += sizeof(ColumnEntry)) {
      const auto entry = load<ColumnEntry>(bytes, entry_at);
      if (entry.stored_bytes > bytes.size() - stored) return bytes;
      sign(bytes, entry_at + offsetof(ColumnEntry, checksum), stored, stored + entry.stored_bytes);
      stored += padded(entry.stored_bytes);
      if (stored > bytes.size()) return bytes;
    }
    std::memset(bytes.data() + at + offsetof(ChunkHeader, checksum), 0, sizeof(uint64_t));
    sign(bytes, at + offsetof(ChunkHeader, checksum), at, payload);
    at = stored;
  }
  return bytes;
}

void read_bytes(std::string bytes) {
  const skyline::Result<Reader> reader = Reader::over(std::move(bytes), "fuzz");
  if (reader.ok()) read_everything(reader.value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  read_bytes(bytes);
  read_bytes(signed_again(bytes));
  return 0;
}
