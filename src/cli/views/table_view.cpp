#include "cli/views/table_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/terminal/csv.h"
#include "cli/terminal/printable.h"
#include "cli/terminal/signature.h"
#include "cli/terminal/text_table.h"
#include "cli/terminal/units.h"

namespace skyline::cli {
namespace {

// Deeper rows of a tree are not moved further.
constexpr int64_t kMostIndented = 24;

std::string text_of(const analyze::Cell& cell, analyze::Unit unit) {
  const auto* text = std::get_if<std::string>(&cell);
  return text == nullptr ? format_cell(cell, unit) : printable(short_signature(*text));
}

size_t indentation(const analyze::Table& table, const std::vector<analyze::Cell>& row) {
  for (size_t i = 0; i < row.size(); ++i) {
    if (table.columns[i].name != table.indent_by) continue;
    const auto* depth = std::get_if<int64_t>(&row[i]);
    return depth == nullptr ? 0 : 2 * static_cast<size_t>(std::min(*depth, kMostIndented));
  }
  return 0;
}

// Whole, as programs want it; empty when there is no value.
std::string csv_field(const analyze::Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return csv_text(*text);
  if (const auto* number = std::get_if<int64_t>(&cell)) return fmt::format("{}", *number);
  if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{}", *number);
  return "";
}

std::string csv_name(const analyze::ColumnDef& column) {
  const bool has_unit = column.unit == analyze::Unit::kNanoseconds || column.unit == analyze::Unit::kBytes;
  if (!has_unit) return std::string(column.name);
  const std::string suffix = fmt::format("_{}", name_of(column.unit));
  return column.name.ends_with(suffix) ? std::string(column.name) : fmt::format("{}{}", column.name, suffix);
}

}  // namespace

bool is_shown_as_indentation(const analyze::Table& table, size_t column) {
  const std::string_view name = table.columns[column].name;
  return !table.indent_by.empty() && (name == table.indent_by || name == "node" || name == "parent");
}

std::string render_table(const analyze::Table& table, const Console& console) {
  std::vector<TextColumn> columns;
  std::vector<size_t> shown;
  for (size_t i = 0; i < table.columns.size(); ++i) {
    if (is_shown_as_indentation(table, i)) continue;
    const bool is_text = table.columns[i].unit == analyze::Unit::kText;
    columns.push_back({std::string(table.columns[i].title), is_text ? Align::kLeft : Align::kRight, is_text});
    shown.push_back(i);
  }
  TextTable text(std::move(columns));
  for (const std::vector<analyze::Cell>& row : table.rows) {
    std::vector<std::string> cells;
    for (const size_t i : shown) cells.push_back(text_of(row[i], table.columns[i].unit));
    cells.front().insert(0, indentation(table, row), ' ');
    text.add_row(std::move(cells));
  }
  return text.render(console.width, console.color);
}

std::string csv_header(const analyze::Table& table) {
  std::vector<std::string> names = {"rank"};
  for (const analyze::ColumnDef& column : table.columns) names.push_back(csv_name(column));
  return csv_record(names);
}

std::string csv_rows(const analyze::Table& table, int64_t rank) {
  std::string out;
  for (const std::vector<analyze::Cell>& row : table.rows) {
    std::vector<std::string> fields = {fmt::format("{}", rank)};
    for (const analyze::Cell& cell : row) fields.push_back(csv_field(cell));
    out += csv_record(fields);
  }
  return out;
}

void write_columns(JsonWriter& json, std::span<const analyze::ColumnDef> columns) {
  json.begin_array();
  for (const analyze::ColumnDef& column : columns) {
    json.begin_object(JsonWriter::Layout::kInline);
    json.field("name", column.name);
    json.field("unit", name_of(column.unit));
    json.field("definition", column.definition);
    json.end_object();
  }
  json.end_array();
}

void write_rows(JsonWriter& json, const analyze::Table& table) {
  json.begin_array();
  for (const std::vector<analyze::Cell>& row : table.rows) {
    json.begin_object(JsonWriter::Layout::kInline);
    for (size_t i = 0; i < row.size(); ++i) {
      json.key(table.columns[i].name);
      write_cell(json, row[i]);
    }
    json.end_object();
  }
  json.end_array();
}

void write_cell(JsonWriter& json, const analyze::Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return json.value(*text);
  if (const auto* number = std::get_if<int64_t>(&cell)) return json.value(*number);
  if (const auto* number = std::get_if<double>(&cell)) return json.value(*number);
  json.null();
}

}  // namespace skyline::cli
