#include "cli/terminal/apportion.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace skyline::cli {

std::vector<int> apportion(std::span<const int64_t> parts, int whole) {
  // Doubles: the parts may add up to more than 64 bits, and only ties could tell the difference.
  const auto size_of = [](int64_t part) { return part > 0 ? static_cast<double>(part) : 0.0; };
  double total = 0;
  for (int64_t part : parts) total += size_of(part);

  std::vector<int> shares(parts.size(), 0);
  if (total <= 0) return shares;

  std::vector<double> remainders(parts.size());
  int given = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    const double exact = size_of(parts[i]) / total * whole;
    shares[i] = static_cast<int>(std::floor(exact));
    remainders[i] = exact - std::floor(exact);
    given += shares[i];
  }
  std::vector<size_t> order(parts.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return remainders[a] > remainders[b]; });
  for (size_t i = 0; given < whole; ++given, ++i) ++shares[order[i % order.size()]];
  return shares;
}

}  // namespace skyline::cli
