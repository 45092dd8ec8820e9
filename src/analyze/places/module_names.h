// The dotted names that modules have: "encoder.layers.0".
#pragma once
#include <algorithm>
#include <string_view>

namespace skyline::analyze {

// "a.b" of "a.b.c"; empty of "a". A name with very many dots is no module's path; its parts are not told
// apart.
inline std::string_view name_around(std::string_view name) {
  constexpr std::ptrdiff_t kMostDots = 64;
  const size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || std::count(name.begin(), name.end(), '.') > kMostDots) return {};
  return name.substr(0, dot);
}

}  // namespace skyline::analyze
