// The secret in the address: who does not have it gets nothing.
#pragma once

#include <string>
#include <string_view>

namespace skyline::serve {

// 192 bits from the system's random source, in letters that need no escape in a URL.
std::string random_token();

// In a time that does not tell how much of it is right.
bool is_same_token(std::string_view one, std::string_view other);

}  // namespace skyline::serve
