#include "cli/terminal/stacked_bar.h"

#include <fmt/format.h>

#include <cmath>

#include "cli/terminal/apportion.h"
#include "cli/terminal/printable.h"

namespace skyline::cli {
namespace {

std::string repeated(std::string_view glyph, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += glyph;
  return text;
}

}  // namespace

std::string render_stacked_bar(const std::vector<BarPart>& parts, size_t width, bool color) {
  std::vector<int64_t> sizes;
  sizes.reserve(parts.size());
  for (const BarPart& part : parts) sizes.push_back(part.size);
  const std::vector<int> cells = apportion(sizes, static_cast<int>(width));
  double whole = 0;
  for (const int64_t size : sizes) whole += size > 0 ? static_cast<double>(size) : 0;

  std::string bar;
  std::string legend;
  size_t column = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (sizes[i] <= 0) continue;
    bar += paint(parts[i].ink, repeated(parts[i].glyph, cells[i]), color);

    const int64_t rounded = std::llround(100 * static_cast<double>(sizes[i]) / whole);
    const std::string percent = rounded == 0 ? "<1" : fmt::format("{}", rounded);
    const std::string label = fmt::format(" {} {} %", printable(parts[i].name), percent);
    const size_t label_width = 1 + display_width(label);
    constexpr size_t kGap = 3;
    if (column > 0 && column + kGap + label_width > width) {
      legend += '\n';
      column = 0;
    }
    if (column > 0) {
      legend.append(kGap, ' ');
      column += kGap;
    }
    legend += paint(parts[i].ink, parts[i].glyph, color) + label;
    column += label_width;
  }
  return bar.empty() ? "" : fmt::format("{}\n{}\n", bar, legend);
}

}  // namespace skyline::cli
