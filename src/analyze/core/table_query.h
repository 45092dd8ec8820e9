// Sorting, filtering and cutting tables, the same for all of them.
#pragma once

#include "analyze/core/analysis.h"

namespace skyline::analyze {

// Numbers largest first, texts from A to Z, cells without a value last; ties by the first column, then by
// the order the rows had. The column must exist.
void sort_rows(Table& table, std::string_view column);

// Filters, sorts, cuts, in this order. The error names the columns there are.
Status apply_query(Table& table, const TableQuery& query);

// Without a value when there is nothing to take a share of.
Cell share_cell(int64_t part, int64_t whole);

// "a, b or c": for errors that name the right words.
std::string one_of(std::span<const std::string_view> words);

// Makes the column of this name, which there must be, the first one.
void move_to_front(Table& table, std::string_view column);

}  // namespace skyline::analyze
