// Comma-separated values as in RFC 4180.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace skyline {

// The fields as one record with its line end (CR LF); quoted where they hold commas, quotes or line ends.
std::string csv_record(const std::vector<std::string>& fields);

}  // namespace skyline
