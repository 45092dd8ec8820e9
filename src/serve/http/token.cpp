#include "serve/http/token.h"

#include <sys/random.h>

#include <array>

#include "base/check.h"

namespace skyline::serve {

std::string random_token() {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::array<unsigned char, 32> bytes{};  // six bits of each are used
  CHECK(::getrandom(bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
  std::string token;
  for (const unsigned char byte : bytes) token.push_back(kLetters[byte % kLetters.size()]);
  return token;
}

bool is_same_token(std::string_view one, std::string_view other) {
  // The length is no secret.
  if (one.size() != other.size()) return false;
  unsigned char difference = 0;
  for (size_t i = 0; i < one.size(); ++i) {
    difference = static_cast<unsigned char>(difference | (one[i] ^ other[i]));
  }
  return difference == 0;
}

}  // namespace skyline::serve
