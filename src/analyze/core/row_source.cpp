// Sorting: the cells of a column become numbers that compare as the cells do, so that a million rows are
// sorted without looking at a text twice.
#include "analyze/core/row_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <unordered_map>

#include "analyze/core/table_query.h"

namespace skyline::analyze {
namespace {

enum class Direction : uint8_t { kNatural, kUp, kDown };  // natural: numbers down, texts up

// Of one cell: the smaller goes first.
struct Key {
  uint8_t kind;  // cells of different kinds stand apart; without a value is the last
  int64_t value;

  auto operator<=>(const Key&) const = default;
};

int64_t ordered_bits(double number) {
  const auto bits = std::bit_cast<int64_t>(number + 0.0);  // there is only one zero
  return bits < 0 ? INT64_MIN - bits : bits;
}

// By text its place among all of them.
using Ranks = std::unordered_map<std::string, int64_t>;

void number_texts(Ranks& ranks) {
  std::vector<std::pair<const std::string, int64_t>*> texts;
  for (auto& text : ranks) texts.push_back(&text);
  std::sort(texts.begin(), texts.end(), [](const auto* a, const auto* b) { return a->first < b->first; });
  for (size_t i = 0; i < texts.size(); ++i) texts[i]->second = static_cast<int64_t>(i);
}

std::vector<Key> keys_of(const RowSource& rows, size_t column, const std::vector<uint32_t>& order,
                         Direction direction) {
  constexpr uint8_t kMissing = UINT8_MAX;
  std::vector<Key> keys(rows.size(), Key{kMissing, 0});
  Ranks ranks;
  std::vector<std::pair<uint32_t, const std::pair<const std::string, int64_t>*>> texts;
  for (const uint32_t row : order) {
    const Cell cell = rows.cell(row, column);
    Key& key = keys[row];
    if (std::holds_alternative<std::monostate>(cell)) continue;
    key.kind = static_cast<uint8_t>(cell.index());
    if (const auto* whole = std::get_if<int64_t>(&cell)) key.value = *whole;
    if (const auto* number = std::get_if<double>(&cell)) key.value = ordered_bits(*number);
    if (const auto* text = std::get_if<std::string>(&cell))
      texts.emplace_back(row, &*ranks.try_emplace(*text, 0).first);
  }
  number_texts(ranks);
  for (const auto& [row, rank] : texts) keys[row].value = rank->second;
  for (Key& key : keys) {
    const bool is_text = key.kind == Cell(std::string()).index();
    const bool is_down = direction == Direction::kNatural ? !is_text : direction == Direction::kDown;
    if (is_down && key.kind != kMissing) key.value = ~key.value;  // the order turns round
  }
  return keys;
}

void sort_by(const RowSource& rows, size_t column, Direction direction, std::vector<uint32_t>& order) {
  const std::vector<Key> keys = keys_of(rows, column, order, direction);
  const std::vector<Key> firsts = keys_of(rows, 0, order, Direction::kUp);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return keys[a] != keys[b] ? keys[a] < keys[b] : firsts[a] < firsts[b];
  });
}

std::string lower(std::string_view text) {
  std::string lowered(text);
  for (char& c : lowered) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lowered;
}

std::vector<uint32_t> matching(const RowSource& rows, const std::vector<ColumnDef>& columns,
                               std::string_view filter) {
  const std::string wanted = lower(filter);
  std::vector<uint32_t> order;
  for (uint32_t row = 0; row < rows.size(); ++row) {
    for (size_t column = 0; column < columns.size(); ++column) {
      if (columns[column].unit != Unit::kText) continue;
      const Cell cell = rows.cell(row, column);
      const std::string* text = std::get_if<std::string>(&cell);
      if (text == nullptr || lower(*text).find(wanted) == std::string::npos) continue;
      order.push_back(row);
      break;
    }
  }
  return order;
}

}  // namespace

size_t TableRows::held_bytes() const {
  size_t bytes = 0;
  for (const std::vector<Cell>& row : table_.rows) {
    bytes += sizeof(row) + row.capacity() * sizeof(Cell);
    for (const Cell& cell : row) {
      const std::string* const text = std::get_if<std::string>(&cell);
      if (text != nullptr && text->capacity() > std::string().capacity()) bytes += text->capacity();
    }
  }
  return bytes;
}

Result<std::vector<uint32_t>> select_rows(const RowSource& rows, const TableQuery& query) {
  const std::vector<ColumnDef> columns = rows.columns();
  std::vector<uint32_t> order;
  if (query.filter.empty()) {
    order.resize(rows.size());
    std::iota(order.begin(), order.end(), 0);
  } else {
    order = matching(rows, columns, query.filter);
  }
  if (query.sort.empty()) return order;

  Direction direction = Direction::kNatural;
  if (query.sort.starts_with('-')) direction = Direction::kDown;
  if (query.sort.starts_with('+')) direction = Direction::kUp;
  std::string_view name = query.sort;
  if (direction != Direction::kNatural) name.remove_prefix(1);
  const auto column =
      std::find_if(columns.begin(), columns.end(), [&](const ColumnDef& def) { return def.name == name; });
  if (column == columns.end()) {
    std::vector<std::string_view> names;
    for (const ColumnDef& def : columns) names.push_back(def.name);
    return Error{fmt::format("there is no column \"{}\" to sort by; it can be {}", name, one_of(names))};
  }
  sort_by(rows, static_cast<size_t>(column - columns.begin()), direction, order);
  return order;
}

}  // namespace skyline::analyze
