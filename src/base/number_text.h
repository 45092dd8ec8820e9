// Numbers as they stand in sentences.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace skyline {

std::string with_gaps(int64_t number);                         // "1 214"
std::string percent_text(double share);                        // "15 %"
std::string part_of_bytes(int64_t part, int64_t whole);        // "3.0 of 7.8 GiB", in the unit of the larger
std::string list_text(const std::vector<std::string>& names);  // "a", "a and b", "a, b and c"; of none ""

}  // namespace skyline
