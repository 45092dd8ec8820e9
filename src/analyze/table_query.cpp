#include "analyze/table_query.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"

namespace skyline {
namespace {

enum class Direction : uint8_t { kNatural, kUp, kDown };  // natural: numbers down, texts up

size_t find_column(const Table& table, std::string_view name) {
  const auto is_it = [&](const ColumnDef& column) { return column.name == name; };
  return static_cast<size_t>(std::find_if(table.columns.begin(), table.columns.end(), is_it) -
                             table.columns.begin());
}

bool is_number(const Cell& cell) {
  return std::holds_alternative<int64_t>(cell) || std::holds_alternative<double>(cell);
}

// Negative, zero, positive. Whole numbers are compared exactly.
int compare(const Cell& a, const Cell& b) {
  if (std::holds_alternative<std::string>(a) && std::holds_alternative<std::string>(b)) {
    return std::get<std::string>(a).compare(std::get<std::string>(b));
  }
  if (std::holds_alternative<int64_t>(a) && std::holds_alternative<int64_t>(b)) {
    const int64_t x = std::get<int64_t>(a), y = std::get<int64_t>(b);
    return x < y ? -1 : x > y;
  }
  if (std::holds_alternative<double>(a) && std::holds_alternative<double>(b)) {
    const double x = std::get<double>(a), y = std::get<double>(b);
    return x < y ? -1 : x > y;
  }
  return a.index() < b.index() ? -1 : a.index() > b.index();
}

bool goes_before(const Cell& a, const Cell& b, Direction direction) {
  const bool a_missing = std::holds_alternative<std::monostate>(a),
             b_missing = std::holds_alternative<std::monostate>(b);
  if (a_missing || b_missing) return b_missing && !a_missing;
  const bool down = direction == Direction::kNatural ? is_number(a) : direction == Direction::kDown;
  return down ? compare(a, b) > 0 : compare(a, b) < 0;
}

void sort_by(Table& table, size_t column, Direction direction) {
  CHECK(column < table.columns.size());
  std::stable_sort(table.rows.begin(), table.rows.end(),
                   [&](const std::vector<Cell>& a, const std::vector<Cell>& b) {
                     if (goes_before(a[column], b[column], direction)) return true;
                     if (goes_before(b[column], a[column], direction)) return false;
                     return goes_before(a.front(), b.front(), Direction::kUp);
                   });
}

std::string lower(std::string_view text) {
  std::string lowered(text);
  for (char& c : lowered) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lowered;
}

void keep_matching(Table& table, std::string_view filter) {
  const std::string wanted = lower(filter);
  std::erase_if(table.rows, [&](const std::vector<Cell>& row) {
    return std::none_of(row.begin(), row.end(), [&](const Cell& cell) {
      const std::string* text = std::get_if<std::string>(&cell);
      return text != nullptr && lower(*text).find(wanted) != std::string::npos;
    });
  });
}

Status sort_as_asked(Table& table, std::string_view sort) {
  Direction direction = Direction::kNatural;
  if (sort.starts_with('-')) direction = Direction::kDown;
  if (sort.starts_with('+')) direction = Direction::kUp;
  const std::string_view name = direction == Direction::kNatural ? sort : sort.substr(1);
  const size_t column = find_column(table, name);
  if (column == table.columns.size()) {
    std::vector<std::string_view> names;
    for (const ColumnDef& def : table.columns) names.push_back(def.name);
    return Error{fmt::format("there is no column \"{}\" to sort by; it can be {}", name, one_of(names))};
  }
  sort_by(table, column, direction);
  return Done();
}

}  // namespace

void sort_rows(Table& table, std::string_view column) {
  sort_by(table, find_column(table, column), Direction::kNatural);
}

Status apply_query(Table& table, const TableQuery& query) {
  if (!query.filter.empty()) keep_matching(table, query.filter);
  if (!query.sort.empty()) {
    const Status sorted = sort_as_asked(table, query.sort);
    if (!sorted.ok()) return sorted.error();
  }
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

}  // namespace skyline
