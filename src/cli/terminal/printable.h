// Printable text in the cells of a terminal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/printable.h"

namespace skyline::cli {

// How many terminal cells a printable text takes: 2 for wide East Asian characters and emoji, 0 for
// combining marks.
size_t display_width(std::string_view text);

// A printable text that fits into `width` cells; what is too long loses its middle: "aten::con…ackward".
std::string cut_middle(std::string_view text, size_t width);

// A printable text on lines of at most `width` cells, broken at spaces where there are any.
std::vector<std::string> wrap(std::string_view text, size_t width);

// Followed or preceded by spaces up to `width` cells.
std::string pad_right(std::string_view text, size_t width);
std::string pad_left(std::string_view text, size_t width);

}  // namespace skyline::cli
