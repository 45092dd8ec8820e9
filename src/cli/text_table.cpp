#include "cli/text_table.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"
#include "cli/ink.h"
#include "cli/printable.h"

namespace skyline {
namespace {

constexpr size_t kGap = 2;
constexpr size_t kNarrowest = 16;  // a name cut further than this tells nothing
constexpr size_t kSecondary = 24;  // how far texts beside the first column are cut in its favour

size_t line_width(const std::vector<size_t>& widths) {
  if (widths.empty()) return 0;
  return std::accumulate(widths.begin(), widths.end(), kGap * (widths.size() - 1));
}

std::string without_trailing_spaces(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

TextTable::TextTable(std::vector<TextColumn> columns) : columns_(std::move(columns)) {}

void TextTable::add_row(std::vector<std::string> cells) {
  CHECK(cells.size() == columns_.size());
  rows_.push_back(std::move(cells));
}

size_t TextTable::natural_width(size_t column) const {
  size_t width = display_width(columns_[column].title);
  for (const std::vector<std::string>& row : rows_) width = std::max(width, display_width(row[column]));
  return width;
}

void TextTable::cut_widest(std::vector<size_t>& widths, size_t width, size_t first, size_t narrowest) const {
  while (line_width(widths) > width) {
    size_t widest = widths.size();
    for (size_t i = first; i < widths.size(); ++i) {
      const bool can_shrink = columns_[i].may_be_cut && widths[i] > narrowest;
      if (can_shrink && (widest == widths.size() || widths[i] > widths[widest])) widest = i;
    }
    if (widest == widths.size()) return;
    --widths[widest];
  }
}

std::vector<size_t> TextTable::fit(size_t width) const {
  std::vector<size_t> widths;
  for (size_t i = 0; i < columns_.size(); ++i) widths.push_back(natural_width(i));

  // Cut the widest text first: of the secondary ones as far as is fair, then of all as far as is useful.
  cut_widest(widths, width, 1, kSecondary);
  cut_widest(widths, width, 0, kNarrowest);
  // Leave columns out at the right; the first one stays whatever happens.
  while (widths.size() > 1 && line_width(widths) > width) widths.pop_back();
  return widths;
}

std::string TextTable::render(size_t width, bool color) const {
  const std::vector<size_t> widths = fit(width);
  const auto line_of = [&](const auto& text_of) {
    std::string line;
    for (size_t i = 0; i < widths.size(); ++i) {
      const std::string text = cut_middle(text_of(i), widths[i]);
      if (i > 0) line.append(kGap, ' ');
      line += columns_[i].align == Align::kRight ? pad_left(text, widths[i]) : pad_right(text, widths[i]);
    }
    return without_trailing_spaces(std::move(line));
  };

  std::string out = paint(Ink::kStrong, line_of([&](size_t i) { return columns_[i].title; }), color) + "\n";
  for (const std::vector<std::string>& row : rows_) {
    out += line_of([&](size_t i) { return row[i]; }) + "\n";
  }
  if (widths.size() < columns_.size()) {
    std::string hidden;
    for (size_t i = widths.size(); i < columns_.size(); ++i) {
      hidden += (hidden.empty() ? "" : ", ") + columns_[i].title;
    }
    const std::string note = "No room for: " + hidden;
    for (const std::string& line : wrap(note, std::max<size_t>(width, kNarrowest))) {
      out += paint(Ink::kFaint, line, color) + "\n";
    }
  }
  return out;
}

}  // namespace skyline
