// Text that is safe to show. Names in traces and names of files may hold any bytes, among them escape
// sequences that would drive the reader's terminal; whatever we show to people passes printable() once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace skyline {

// Control characters, invalid bytes and invisible direction marks become visible: \n, \x1b, \u202e.
std::string printable(std::string_view text);

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

}  // namespace skyline
