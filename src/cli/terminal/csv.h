// Comma-separated values as in RFC 4180, harmless to terminals and spreadsheets.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace skyline::cli {

// The fields as one record with its line end (CR LF); quoted where they hold commas, quotes or line ends.
std::string csv_record(const std::vector<std::string>& fields);

// Foreign text as a field: printable, and with an apostrophe before it where a spreadsheet would take it for
// a formula and compute it, that is if it begins with = + - @. Numbers are no text and keep their signs.
std::string csv_text(std::string_view text);

}  // namespace skyline::cli
