#include "analyze/core/named_cells.h"

#include <algorithm>

#include "base/check.h"

namespace skyline::analyze {

std::vector<size_t> match_names(std::span<const ColumnDef> columns, std::span<const std::string_view> names,
                                CellsOf which) {
  std::vector<size_t> places;
  size_t found = 0;
  for (const ColumnDef& column : columns) {
    const auto name = std::find(names.begin(), names.end(), column.name);
    CHECK(name != names.end() || which == CellsOf::kSomeColumns);
    found += name != names.end();
    places.push_back(name == names.end() ? SIZE_MAX : static_cast<size_t>(name - names.begin()));
  }
  CHECK(found == names.size());  // else one is unknown or there twice
  return places;
}

}  // namespace skyline::analyze
