// A .skyline file with its checksums set right: chance never hits one, so a fuzzer would not get past them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "tracefile/checksum.h"
#include "tracefile/tracefile.h"

namespace skyline::tracefile {

template <typename T>
T load_at(const std::string& bytes, size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

inline void sign(std::string& bytes, size_t checksum_at, size_t begin, size_t end) {
  const uint64_t sum = checksum(bytes.data() + begin, end - begin);
  std::memcpy(bytes.data() + checksum_at, &sum, sizeof sum);
}

// Every checksum that can be found by hopping, as a writer would have set it.
inline std::string signed_again(std::string bytes) {
  if (bytes.size() < sizeof(FileHeader)) return bytes;
  sign(bytes, offsetof(FileHeader, checksum), 0, offsetof(FileHeader, checksum));
  for (size_t at = sizeof(FileHeader); at + sizeof(ChunkHeader) <= bytes.size();) {
    const auto header = load_at<ChunkHeader>(bytes, at);
    const size_t payload = at + sizeof header + header.columns * sizeof(ColumnEntry);
    if (header.magic != kChunkMagic || payload > bytes.size()) break;
    size_t stored = payload;
    for (size_t entry_at = at + sizeof header; entry_at < payload; entry_at += sizeof(ColumnEntry)) {
      const auto entry = load_at<ColumnEntry>(bytes, entry_at);
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

}  // namespace skyline::tracefile
