#include "cli/terminal/text_table.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"
#include "cli/terminal/ink.h"
#include "cli/terminal/printable.h"

namespace skyline::cli {
namespace {

constexpr size_t kGap = 2;
// How far texts are cut: those beside the first column in its favour, then all. Less would tell nothing.
constexpr size_t kSecondary = 24;
constexpr size_t kNarrowestColumn = 28;
constexpr size_t kNarrowestSecondary = 14;

size_t line_width(const std::vector<size_t>& widths) {
  if (widths.empty()) return 0;
  return std::accumulate(widths.begin(), widths.end(), kGap * (widths.size() - 1));
}

std::string without_trailing_spaces(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

struct Title {
  std::string upper, lower;

  size_t width() const { return std::max(display_width(upper), display_width(lower)); }
};

// Broken at the last space, so that a sign stays with its word: "Host" over "self %".
Title split(const std::string& title) {
  size_t space = title.rfind(' ');
  if (title.ends_with(" %")) space = title.rfind(' ', space - 1);
  if (space == std::string::npos) return {"", title};
  return {title.substr(0, space), title.substr(space + 1)};
}

}  // namespace

TextTable::TextTable(std::vector<TextColumn> columns) : columns_(std::move(columns)) {}

void TextTable::add_row(std::vector<std::string> cells) {
  CHECK(cells.size() == columns_.size());
  rows_.push_back(std::move(cells));
}

size_t TextTable::content_width(size_t column) const {
  size_t width = 0;
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

std::vector<size_t> TextTable::fit(size_t width, bool split_titles) const {
  std::vector<size_t> natural;
  for (size_t i = 0; i < columns_.size(); ++i) {
    const std::string& title = columns_[i].title;
    natural.push_back(std::max(content_width(i), split_titles ? split(title).width() : display_width(title)));
  }
  // Leave columns out at the right until cutting is enough; the first one stays whatever happens.
  for (std::vector<size_t> shown = natural;; shown.pop_back()) {
    std::vector<size_t> widths = shown;
    cut_widest(widths, width, 1, kSecondary);
    cut_widest(widths, width, 0, kNarrowestColumn);
    cut_widest(widths, width, 1, kNarrowestSecondary);
    if (widths.size() == 1) widths.front() = std::min(widths.front(), width);
    if (widths.size() <= 1 || line_width(widths) <= width) return widths;
  }
}

std::string TextTable::render(size_t width, bool color) const {
  bool split_titles = false;
  std::vector<size_t> widths = fit(width, split_titles);
  if (widths.size() < columns_.size()) widths = fit(width, split_titles = true);

  const auto line_of = [&](const auto& text_of) {
    std::string line;
    for (size_t i = 0; i < widths.size(); ++i) {
      const std::string text = cut_middle(text_of(i), widths[i]);
      if (i > 0) line.append(kGap, ' ');
      line += columns_[i].align == Align::kRight ? pad_left(text, widths[i]) : pad_right(text, widths[i]);
    }
    return without_trailing_spaces(std::move(line));
  };
  const auto title_line = [&](const auto& text_of) {
    return paint(Ink::kStrong, line_of(text_of), color) + "\n";
  };

  std::string out;
  const auto has_two_words = [](const TextColumn& column) { return !split(column.title).upper.empty(); };
  const auto shown_end = columns_.begin() + static_cast<std::ptrdiff_t>(widths.size());
  if (split_titles && std::any_of(columns_.begin(), shown_end, has_two_words)) {
    out += title_line([&](size_t i) { return split(columns_[i].title).upper; });
    out += title_line([&](size_t i) { return split(columns_[i].title).lower; });
  } else {
    out += title_line([&](size_t i) { return columns_[i].title; });
  }
  for (const std::vector<std::string>& row : rows_) {
    out += line_of([&](size_t i) { return row[i]; }) + "\n";
  }
  if (widths.size() < columns_.size()) {
    std::string hidden;
    for (size_t i = widths.size(); i < columns_.size(); ++i) {
      hidden += (hidden.empty() ? "" : ", ") + columns_[i].title;
    }
    for (const std::string& line : wrap("No room for: " + hidden, width)) {
      out += paint(Ink::kFaint, line, color) + "\n";
    }
  }
  return out;
}

}  // namespace skyline::cli
