#include "serve/http/hmac.h"

#include "base/sha256.h"

namespace skyline::serve {
namespace {

constexpr size_t kBlock = 64;

unsigned digit(char hex) { return static_cast<unsigned>(hex <= '9' ? hex - '0' : hex - 'a' + 10); }

std::string bytes_of(std::string_view hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes.push_back(static_cast<char>(digit(hex[i]) * 16 + digit(hex[i + 1])));
  return bytes;
}

std::string padded(std::string_view key, unsigned char with) {
  std::string block = key.size() > kBlock ? bytes_of(sha256(key)) : std::string(key);
  block.resize(kBlock, '\0');
  for (char& byte : block) byte = static_cast<char>(static_cast<unsigned char>(byte) ^ with);
  return block;
}

}  // namespace

std::string hmac_sha256(std::string_view key, std::string_view text) {
  const std::string inner = sha256(padded(key, 0x36) + std::string(text));
  return sha256(padded(key, 0x5c) + bytes_of(inner));
}

}  // namespace skyline::serve
