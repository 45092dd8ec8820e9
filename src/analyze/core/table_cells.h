// Reading tables in tests.
#pragma once

#include <algorithm>
#include <string>

#include "analyze/core/analysis.h"
#include "base/check.h"

namespace skyline::analyze {

inline size_t column_index(const Table& table, std::string_view column) {
  const auto is_it = [&](const ColumnDef& def) { return def.name == column; };
  const auto at = std::find_if(table.columns.begin(), table.columns.end(), is_it);
  CHECK(at != table.columns.end());
  return static_cast<size_t>(at - table.columns.begin());
}

// The row whose first cell is this text.
inline const std::vector<Cell>& row_of(const Table& table, std::string_view first) {
  const auto is_it = [&](const std::vector<Cell>& row) {
    return std::get<std::string>(row.front()) == first;
  };
  const auto at = std::find_if(table.rows.begin(), table.rows.end(), is_it);
  CHECK(at != table.rows.end());
  return *at;
}

inline int64_t number(const Table& table, const std::vector<Cell>& row, std::string_view column) {
  return std::get<int64_t>(row[column_index(table, column)]);
}
inline int64_t number(const Table& table, std::string_view first, std::string_view column) {
  return number(table, row_of(table, first), column);
}
inline std::string text(const Table& table, std::string_view first, std::string_view column) {
  return std::get<std::string>(row_of(table, first)[column_index(table, column)]);
}

// Of a column of whole numbers; cells without a value count nothing.
inline int64_t sum(const Table& table, std::string_view column) {
  int64_t total = 0;
  for (const std::vector<Cell>& row : table.rows) {
    if (const int64_t* value = std::get_if<int64_t>(&row[column_index(table, column)])) total += *value;
  }
  return total;
}

// The texts of the first column, from top to bottom.
inline std::string first_column(const Table& table) {
  std::string names;
  for (const std::vector<Cell>& row : table.rows) {
    names += (names.empty() ? "" : " ") + std::get<std::string>(row.front());
  }
  return names;
}

}  // namespace skyline::analyze
