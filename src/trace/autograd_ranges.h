// The autograd engine runs each backward operator inside a range of its own:
//
//   autograd::engine::evaluate_function: MulBackward0
//     MulBackward0
#pragma once

#include <string_view>

namespace skyline {

inline constexpr std::string_view kEvaluateFunction = "autograd::engine::evaluate_function: ";

inline bool is_engine_range(std::string_view name) { return name.starts_with(kEvaluateFunction); }

// Whether the range is the one around this operator.
inline bool is_engine_range_of(std::string_view range, std::string_view op) {
  return is_engine_range(range) && range.substr(kEvaluateFunction.size()) == op;
}

}  // namespace skyline
