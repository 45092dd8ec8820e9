// Rows that are made when they are asked for. A table with a row per event would take gigabytes at once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyze/core/analysis.h"

namespace skyline::analyze {

class RowSource {
 public:
  virtual ~RowSource() = default;

  virtual std::vector<ColumnDef> columns() const = 0;
  virtual size_t size() const = 0;
  virtual size_t held_bytes() const = 0;  // about what it takes in memory, besides the trace
  virtual Cell cell(size_t row, size_t column) const = 0;
};

// The rows of a table that is there already.
class TableRows : public RowSource {
 public:
  explicit TableRows(const Table& table) : table_(table) {}

  std::vector<ColumnDef> columns() const override { return table_.columns; }
  size_t size() const override { return table_.rows.size(); }
  size_t held_bytes() const override;
  Cell cell(size_t row, size_t column) const override { return table_.rows[row][column]; }

 private:
  const Table& table_;
};

// The numbers of the rows that the query keeps, in its order; it is not cut. The error names the columns
// there are.
Result<std::vector<uint32_t>> select_rows(const RowSource& rows, const TableQuery& query);

}  // namespace skyline::analyze
