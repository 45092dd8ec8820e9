// Runs a table analysis by name, with the user's words checked first.
#include "analyze/core/tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyze/core/open_table.h"
#include "analyze/core/row_source.h"
#include "analyze/core/step_window.h"
#include "analyze/core/table_query.h"

namespace skyline::analyze {
namespace {

Status check_options(const Trace& trace, const TableAnalysis& analysis, const TableOptions& options) {
  const auto& groups = analysis.group_by;
  if (!options.group_by.empty() &&
      std::find(groups.begin(), groups.end(), options.group_by) == groups.end()) {
    return Error{fmt::format("{} cannot be grouped by \"{}\"; it can be {}", analysis.name, options.group_by,
                             one_of(groups))};
  }
  SKYLINE_RETURN_IF_ERROR(chosen_step(trace, options.step));
  return Done();
}

struct Chosen {
  const TableAnalysis* analysis;
  TableOptions options;  // complete
};

Result<Chosen> choose(const Trace& trace, std::string_view name, const TableOptions& options) {
  const TableAnalysis* analysis = find_table(name);
  if (analysis == nullptr) {
    std::vector<std::string_view> names;
    for (const TableAnalysis& known : table_analyses()) names.push_back(known.name);
    return Error{fmt::format("there is no table \"{}\"; it can be {}", name, one_of(names))};
  }
  SKYLINE_RETURN_IF_ERROR(check_options(trace, *analysis, options));
  Chosen chosen = {analysis, options};
  if (options.group_by.empty()) chosen.options.group_by = analysis->group_by.front();
  return chosen;
}

}  // namespace

const TableAnalysis* find_table(std::string_view name) {
  for (const TableAnalysis& analysis : table_analyses()) {
    if (analysis.name == name) return &analysis;
  }
  return nullptr;
}

Result<Table> compute_table(const AnalyzedTrace& analyzed, std::string_view name, const TableOptions& options,
                            const TableQuery& query) {
  SKYLINE_TRY(const Chosen chosen, choose(analyzed.trace(), name, options));
  Table table = chosen.analysis->run(analyzed, chosen.options);
  SKYLINE_RETURN_IF_ERROR(apply_query(table, query));
  if (!query.sort.empty()) table.indent_by = {};  // no tree any more
  return table;
}

Result<OpenTable> open_table(const AnalyzedTrace& analyzed, std::string_view name,
                             const TableOptions& options) {
  SKYLINE_TRY(const Chosen chosen, choose(analyzed.trace(), name, options));
  if (chosen.analysis->open != nullptr) return OpenTable(chosen.analysis->open(analyzed, chosen.options));
  auto table = std::make_shared<const Table>(chosen.analysis->run(analyzed, chosen.options));
  auto rows = std::make_unique<TableRows>(*table);
  return OpenTable(std::move(rows), std::move(table));
}

}  // namespace skyline::analyze
