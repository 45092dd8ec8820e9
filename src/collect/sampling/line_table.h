// Which line an instruction of Python code belongs to, from a copy of the code's line table.
//
// The format is CPython's since 3.11 (Objects/locations.md there): entries of one byte with a kind and a
// length, and varints behind it.
#pragma once

#include <cstdint>
#include <string_view>

namespace skyline::collect {

// `offset`: of the instruction, in bytes. 0: the table does not say, or is damaged.
int32_t line_at(std::string_view table, int32_t first_line, int32_t offset);

}  // namespace skyline::collect
