#include "analyze/core/table_query.h"

#include <algorithm>

#include "analyze/core/row_source.h"
#include "base/check.h"

namespace skyline::analyze {
namespace {

void put_in_order(Table& table, const std::vector<uint32_t>& order) {
  std::vector<std::vector<Cell>> rows;
  rows.reserve(order.size());
  for (const uint32_t row : order) rows.push_back(std::move(table.rows[row]));
  table.rows = std::move(rows);
}

}  // namespace

void sort_rows(Table& table, std::string_view column) {
  const Status sorted = apply_query(table, {.sort = std::string(column), .filter = {}, .top = 0});
  CHECK(sorted.ok());
}

Status apply_query(Table& table, const TableQuery& query) {
  SKYLINE_TRY(const std::vector<uint32_t> order, select_rows(TableRows(table), query));
  if (!query.sort.empty() || !query.filter.empty()) put_in_order(table, order);
  if (query.top != 0 && query.top < table.rows.size()) {
    table.left_out = table.rows.size() - query.top;
    table.rows.resize(query.top);
  }
  return Done();
}

Cell share_cell(int64_t part, int64_t whole) {
  if (whole == 0) return Cell();
  return static_cast<double>(part) / static_cast<double>(whole);
}

std::string one_of(std::span<const std::string_view> words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

void move_to_front(Table& table, std::string_view column) {
  const auto is_it = [&](const ColumnDef& def) { return def.name == column; };
  const auto at = std::find_if(table.columns.begin(), table.columns.end(), is_it) - table.columns.begin();
  std::rotate(table.columns.begin(), table.columns.begin() + at, table.columns.begin() + at + 1);
  for (std::vector<Cell>& row : table.rows) std::rotate(row.begin(), row.begin() + at, row.begin() + at + 1);
}

}  // namespace skyline::analyze
