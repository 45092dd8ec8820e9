// How the cells of a table come about, each stated beside the name of its column:
//
//   const NamedCells<Group> cells(kOpsColumns, {
//       {"name", [&](const Group& group) { return text(group.name); }},
//       {"calls", [](const Group& group) { return group.calls; }},
//   });
//   for (const Group& group : groups) table.rows.push_back(cells.row(group));
//
// Names are looked up once, not per row. A name that is missing, unknown or there twice is a fault of the
// program (CHECK); the order does not matter.
#pragma once

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "analyze/core/analysis.h"

namespace skyline::analyze {

// Whether every column has a cell, or there are columns that other rows of the table have.
enum class CellsOf : uint8_t { kAllColumns, kSomeColumns };

// Per column the place of its name among `names`; SIZE_MAX: it has none.
std::vector<size_t> match_names(std::span<const ColumnDef> columns, std::span<const std::string_view> names,
                                CellsOf which);

template <typename Row>
class NamedCells {
 public:
  using CellOf = std::function<Cell(const Row&)>;
  struct Named {
    std::string_view name;
    CellOf of;
  };

  NamedCells(std::span<const ColumnDef> columns, std::vector<Named> cells,
             CellsOf which = CellsOf::kAllColumns) {
    std::vector<std::string_view> names;
    for (const Named& cell : cells) names.push_back(cell.name);
    const std::vector<size_t> places = match_names(columns, names, which);
    for (size_t i = 0; i < columns.size(); ++i) {
      if (places[i] == SIZE_MAX) continue;
      columns_.push_back(columns[i]);
      cells_.push_back(std::move(cells[places[i]].of));
    }
  }

  // Leaves out the columns that a table does not show this time.
  template <typename Shows>
  void show_only(const Shows& shows) {
    for (size_t i = columns_.size(); i-- > 0;) {
      if (shows(columns_[i].name)) continue;
      columns_.erase(columns_.begin() + static_cast<ptrdiff_t>(i));
      cells_.erase(cells_.begin() + static_cast<ptrdiff_t>(i));
    }
  }

  const std::vector<ColumnDef>& columns() const { return columns_; }
  Cell cell(const Row& row, size_t column) const { return cells_[column](row); }
  std::vector<Cell> row(const Row& row) const {
    std::vector<Cell> cells;
    cells.reserve(cells_.size());
    for (const CellOf& of : cells_) cells.push_back(of(row));
    return cells;
  }

 private:
  std::vector<ColumnDef> columns_;  // in the order of the table
  std::vector<CellOf> cells_;       // per column
};

}  // namespace skyline::analyze
