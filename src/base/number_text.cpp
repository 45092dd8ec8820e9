#include "base/number_text.h"

#include <fmt/format.h>

#include <iterator>

namespace skyline {

std::string with_gaps(int64_t number) {
  std::string text = std::to_string(number);
  const size_t first = number < 0 ? 1 : 0;
  for (size_t at = text.size(); at > first + 3;) text.insert(at -= 3, " ");
  return text;
}

std::string percent_text(double share) { return fmt::format("{:.0f} %", 100 * share); }

std::string part_of_bytes(int64_t part, int64_t whole) {
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double divisor = 1;
  size_t unit = 0;
  for (; static_cast<double>(whole) / divisor >= 1024 && unit + 1 < std::size(kUnits); ++unit)
    divisor *= 1024;
  const double used = static_cast<double>(part) / divisor;
  const char* const digits = unit == 0     ? "{:.0f} of {:.0f} {}"
                             : used < 0.05 ? "{:.2f} of {:.1f} {}"
                                           : "{:.1f} of {:.1f} {}";
  return fmt::format(fmt::runtime(digits), used, static_cast<double>(whole) / divisor, kUnits[unit]);
}

std::string list_text(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 < names.size() ? ", " : " and ") + names[i];
  return text;
}

}  // namespace skyline
