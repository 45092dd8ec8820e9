// C++ names for people: kernels come as whole signatures, of which the ends are alike.
#pragma once

#include <string>
#include <string_view>

namespace skyline::cli {

// "void at::native::copy<4, at::Op>(int, char*)" is shown as "copy<4, Op>". Anything that is no such
// signature stays as it is.
std::string short_signature(std::string_view name);

}  // namespace skyline::cli
