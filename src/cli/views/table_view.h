// A table of analyze in each of the output formats.
#pragma once

#include <string>

#include "analyze/analyze.h"
#include "base/json_writer.h"
#include "cli/terminal/console.h"

namespace skyline::cli {

// Aligned under titles, cut to the width of the console; rows of a tree are indented.
std::string render_table(const analyze::Table& table, const Console& console);

// A tree's columns that people see in another way.
bool is_shown_as_indentation(const analyze::Table& table, size_t column);

// The names of the columns with their units, "host_self_ns"; `rank` comes first.
std::string csv_header(const analyze::Table& table);
std::string csv_rows(const analyze::Table& table, int64_t rank);

// {"name": …, "unit": …, "definition": …} for each column, as an array.
void write_columns(JsonWriter& json, std::span<const analyze::ColumnDef> columns);
// One object per row, by column name, as an array.
void write_rows(JsonWriter& json, const analyze::Table& table);

void write_cell(JsonWriter& json, const analyze::Cell& cell);

}  // namespace skyline::cli
