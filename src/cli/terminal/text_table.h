// TextTable: rows under titles, made to fit the width of a terminal.
//
//   Operator                       Calls    Host self   Device self
//   aten::convolution_backward       318     22.80 ms      142.5 ms
//   aten::cudnn_convo…            12 345    123.4 µs        0 ns
//
// When the lines get too wide, texts are cut in the middle, those in the first column last. If that is not
// enough, titles take two lines, and then columns at the right are left out and a last line names them.
#pragma once

#include <string>
#include <vector>

namespace skyline::cli {

enum class Align : unsigned char { kLeft, kRight };

struct TextColumn {
  std::string title;
  Align align = Align::kLeft;
  bool may_be_cut = false;
};

class TextTable {
 public:
  explicit TextTable(std::vector<TextColumn> columns);

  // One printable text per column (cli/terminal/printable.h).
  void add_row(std::vector<std::string> cells);

  // Lines end without spaces. `width` is in cells.
  std::string render(size_t width, bool color) const;

 private:
  // Widths of the columns that are shown, from the left.
  std::vector<size_t> fit(size_t width, bool split_titles) const;
  size_t content_width(size_t column) const;
  // Narrows columns from `first` on, the widest first, until the lines fit or all are at `narrowest`.
  void cut_widest(std::vector<size_t>& widths, size_t width, size_t first, size_t narrowest) const;

  std::vector<TextColumn> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace skyline::cli
