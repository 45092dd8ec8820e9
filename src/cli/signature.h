// C++ names for people: kernels come as whole signatures, of which the ends are alike.
#pragma once

#include <string_view>

namespace skyline {

// "void at::native::copy<4>(int, char*)" is shown as "at::native::copy<4>". Anything else stays as it is.
std::string_view without_signature(std::string_view name);

}  // namespace skyline
