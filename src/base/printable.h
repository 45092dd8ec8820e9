// Text that is safe to show. Names in traces and names of files may hold any bytes, among them escape
// sequences that would drive the reader's terminal; whatever we show to people passes printable() once. The
// page has the same in web/src/base/printable.ts, the Python package in _printable.py.
#pragma once

#include <string>
#include <string_view>

namespace skyline {

// Control characters, invalid bytes and invisible direction marks become visible: \n, \x1b, \u202e.
std::string printable(std::string_view text);

// Whether it shows nothing itself, and may change how others are shown or read.
bool is_invisible(char32_t value);

}  // namespace skyline
