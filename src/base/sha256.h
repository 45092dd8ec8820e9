// SHA-256 (FIPS 180-4): whether a file is still the one that was read. Python's hashlib gives the same.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace skyline {

class Sha256 {
 public:
  void add(std::string_view bytes);

  // 64 hexadecimal digits in lower case. Nothing can be added afterwards.
  std::string finish();

 private:
  void mix_block(const unsigned char* block);

  std::array<uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> rest_{};  // bytes that do not fill a block yet
  uint64_t size_ = 0;
};

std::string sha256(std::string_view bytes);

}  // namespace skyline
