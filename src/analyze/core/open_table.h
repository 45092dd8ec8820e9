// A table for those who look at it window by window: pages that scroll through a million rows.
//
//   OpenTable table = open_table(analyzed, "calls", {}).value();
//   std::vector<uint32_t> order = table.select({.sort = "duration"}).value();
//   for (i = 0; i < 100; ++i) show(table.row(order[i]));
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "analyze/core/analysis.h"

namespace skyline::analyze {

class RowSource;

class OpenTable {
 public:
  explicit OpenTable(std::unique_ptr<RowSource> rows, std::shared_ptr<const Table> table = {});
  ~OpenTable();
  OpenTable(OpenTable&&) noexcept;
  OpenTable& operator=(OpenTable&&) noexcept;

  std::vector<ColumnDef> columns() const;
  std::string_view indent_by() const;  // as in Table
  size_t size() const;
  size_t held_bytes() const;  // about what it takes in memory, besides the trace
  std::vector<Cell> row(uint32_t row) const;

  // The rows that match, in the order that is wanted. `top` does not count.
  Result<std::vector<uint32_t>> select(const TableQuery& query) const;

 private:
  std::shared_ptr<const Table> table_;  // null: rows are made when they are asked for
  std::unique_ptr<RowSource> rows_;
};

// The AnalyzedTrace must live as long as the table. Errors name the wrong word and the right ones.
Result<OpenTable> open_table(const AnalyzedTrace& analyzed, std::string_view name,
                             const TableOptions& options);

}  // namespace skyline::analyze
