#include "analyze/core/open_table.h"

#include "analyze/core/row_source.h"

namespace skyline::analyze {

OpenTable::OpenTable(std::unique_ptr<RowSource> rows, std::shared_ptr<const Table> table)
    : table_(std::move(table)), rows_(std::move(rows)) {}
OpenTable::~OpenTable() = default;
OpenTable::OpenTable(OpenTable&&) noexcept = default;
OpenTable& OpenTable::operator=(OpenTable&&) noexcept = default;

std::vector<ColumnDef> OpenTable::columns() const { return rows_->columns(); }
std::string_view OpenTable::indent_by() const {
  return table_ == nullptr ? std::string_view() : table_->indent_by;
}
size_t OpenTable::size() const { return rows_->size(); }
size_t OpenTable::held_bytes() const { return rows_->held_bytes(); }

std::vector<Cell> OpenTable::row(uint32_t row) const {
  if (table_ != nullptr) return table_->rows[row];
  std::vector<Cell> cells;
  const size_t count = rows_->columns().size();
  cells.reserve(count);
  for (size_t column = 0; column < count; ++column) cells.push_back(rows_->cell(row, column));
  return cells;
}

Result<std::vector<uint32_t>> OpenTable::select(const TableQuery& query) const {
  return select_rows(*rows_, query);
}

}  // namespace skyline::analyze
