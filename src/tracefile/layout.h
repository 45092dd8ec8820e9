// The bytes of a .skyline file. Everything is little-endian; docs/tracefile.md says the same in prose.
//
//   file      = FileHeader chunk*
//   chunk     = ChunkHeader ColumnEntry{columns} stored-column{columns}
//
// Every part begins at a multiple of 8; the bytes up to there are zero and count for nothing. Stored
// columns stand in the order of their entries, so an entry's place is the sum of those before it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace skyline::tracefile {

static_assert(std::endian::native == std::endian::little, "the file's integers are copied as they are");

// As in PNG: a byte that is not ASCII, our name, and line ends that careless transfers change.
inline constexpr uint8_t kFileMagic[8] = {0x89, 'S', 'K', 'Y', '\r', '\n', 0x1a, '\n'};
inline constexpr uint32_t kChunkMagic = 0x4b484353;  // "SCHK"
inline constexpr uint16_t kMajorVersion = 1;         // readers of another major version refuse the file
inline constexpr uint16_t kMinorVersion = 0;         // grows with the schema; no reader refuses it

struct FileHeader {
  uint8_t magic[8];
  uint16_t major_version;
  uint16_t minor_version;
  uint32_t reserved;  // 0
  char creator[40];   // what wrote the file, UTF-8, padded with zeros: "skyline 0.1.0"
  uint64_t checksum;  // XXH3-64 of the bytes before it
};
static_assert(sizeof(FileHeader) == 64);

struct ChunkHeader {
  uint32_t magic;
  uint16_t table;
  uint16_t columns;   // how many entries follow
  uint64_t sequence;  // 0, 1, 2 … through the file: bytes of another chunk cannot stand in for this one
  uint64_t rows;
  uint64_t bytes;     // from this header to the next
  uint64_t checksum;  // XXH3-64 of this header, with 0 in this place, and the entries
};
static_assert(sizeof(ChunkHeader) == 40);

enum class Packing : uint8_t { kRaw = 0, kZstd = 1 };

struct ColumnEntry {
  uint16_t column;      // its number in the schema
  uint8_t type;         // ElementType
  uint8_t encoding;     // Encoding
  uint8_t packing;      // Packing; what does not shrink is stored raw
  uint8_t reserved[3];  // 0
  uint64_t stored_bytes;
  uint64_t raw_bytes;  // numbers: rows × size of one. Texts: rows × 4 (lengths, u32), then the bytes
  uint64_t checksum;   // XXH3-64 of the stored bytes
};
static_assert(sizeof(ColumnEntry) == 32);

// Limits of one chunk, so that a few hostile bytes cannot make a reader allocate without end.
inline constexpr uint64_t kMaxRows = 1 << 24;
inline constexpr uint64_t kMaxColumnBytes = 256 << 20;

constexpr uint64_t padded(uint64_t bytes) { return (bytes + 7) & ~uint64_t{7}; }

// Bytes of one element; 0 for texts and unknown types.
constexpr size_t element_bytes(uint8_t type) {
  constexpr uint8_t kBytes[] = {0, 1, 2, 4, 8, 4, 8, 8, 0, 0};
  return type < sizeof kBytes ? kBytes[type] : 0;
}

}  // namespace skyline::tracefile
