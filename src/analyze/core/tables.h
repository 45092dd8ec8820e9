// Tables by name.
#pragma once

#include <string_view>

#include "analyze/core/analysis.h"
#include "base/result.h"

namespace skyline::analyze {

// Runs a table analysis and applies the query. Errors name the wrong word and the right ones.
Result<Table> compute_table(const AnalyzedTrace& analyzed, std::string_view name, const TableOptions& options,
                            const TableQuery& query);

}  // namespace skyline::analyze
