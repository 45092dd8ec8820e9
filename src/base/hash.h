// A fast hash for short texts, the same on every machine and run (so that nothing we print can
// depend on it by accident). Not for adversaries: tables that use it compare the full key.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace skyline {

inline uint64_t load_u64(const char* p) {
  uint64_t v;
  std::memcpy(&v, p, 8);
  return v;
}

__extension__ using Wide = unsigned __int128;

inline uint64_t mix_u64(uint64_t a, uint64_t b) {
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

inline uint64_t hash_bytes(std::string_view text) {
  constexpr uint64_t kA = 0x9e3779b97f4a7c15, kB = 0xd6e8feb86659fd93;
  const char* p = text.data();
  size_t n = text.size();
  uint64_t h = mix_u64(n ^ kA, kB);
  while (n > 16) {
    h = mix_u64(load_u64(p) ^ h, load_u64(p + 8) ^ kA);
    p += 16;
    n -= 16;
  }
  // The last 1..16 bytes, read as two possibly overlapping halves.
  uint64_t low = 0, high = 0;
  if (n >= 8) {
    low = load_u64(p);
    high = load_u64(p + n - 8);
  } else if (n >= 4) {
    uint32_t a, b;
    std::memcpy(&a, p, 4);
    std::memcpy(&b, p + n - 4, 4);
    low = a;
    high = b;
  } else if (n > 0) {
    low = static_cast<uint64_t>(static_cast<unsigned char>(p[0])) |
          static_cast<uint64_t>(static_cast<unsigned char>(p[n / 2])) << 8 |
          static_cast<uint64_t>(static_cast<unsigned char>(p[n - 1])) << 16;
  }
  return mix_u64(low ^ h, high ^ kB);
}

}  // namespace skyline
