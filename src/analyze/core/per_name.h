// PerName: something that follows from a name alone, worked out once per distinct name. A trace has
// thousands of names and millions of slices.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/string_pool.h"

namespace skyline::analyze {

template <typename T>
class PerName {
 public:
  PerName(const StringPool& strings, T (*of)(std::string_view))
      : strings_(strings), of_(of), known_(strings.size(), kUnknown) {}

  T operator()(StringId name) {
    if (!name.exists()) return of_({});
    uint8_t& known = known_[name.value];
    if (known == kUnknown) known = static_cast<uint8_t>(of_(strings_[name]));
    return static_cast<T>(known);
  }

 private:
  static constexpr uint8_t kUnknown = UINT8_MAX;

  const StringPool& strings_;
  T (*of_)(std::string_view);
  std::vector<uint8_t> known_;
};

}  // namespace skyline::analyze
