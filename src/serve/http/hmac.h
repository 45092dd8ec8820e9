// HMAC-SHA-256 (RFC 2104): who can make it for a text knows the key. Web Crypto and Python's hmac give the
// same.
#pragma once

#include <string>
#include <string_view>

namespace skyline::serve {

// 64 hexadecimal digits in lower case.
std::string hmac_sha256(std::string_view key, std::string_view text);

}  // namespace skyline::serve
