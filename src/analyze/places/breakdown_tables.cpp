#include "analyze/places/breakdown_tables.h"

#include <fmt/format.h>

#include <map>

#include "analyze/core/step_window.h"
#include "analyze/core/table_query.h"
#include "analyze/places/breakdown.h"
#include "analyze/places/op_stacks.h"

namespace skyline {
namespace {

constexpr std::string_view kWhole = "(iteration)";

// A row before the table knows which columns it shows.
using Cells = std::map<std::string_view, Cell>;

// Of the step that the options name; the words were checked.
std::shared_ptr<const Breakdown> chosen_breakdown(const AnalyzedTrace& analyzed,
                                                  const TableOptions& options) {
  return shared_breakdown(analyzed, options.step ? find_step(analyzed.trace(), *options.step) : nullptr);
}

void add_times(Cells& cells, const BreakdownTimes& own, const BreakdownTimes& total, int64_t whole_ns) {
  cells["device_total"] = total.device.sum();
  cells["device_own"] = own.device.sum();
  cells["host_total"] = total.host.sum();
  cells["host_own"] = own.host.sum();
  cells["share"] = share_cell(total.host.sum(), whole_ns);
  for (const PhaseDef& phase : kPhases) cells[phase.name] = total.host[phase.phase];
  cells["calls"] = total.calls;
}

Cells cells_of_use(const Trace& trace, const OpStacks& stacks, const OpUse& use, int64_t whole_ns) {
  BreakdownTimes times;
  times.host.add(use.phase, use.host_ns);
  times.device.add(use.phase, use.device_ns);
  times.calls = use.calls;
  Cells cells;
  add_times(cells, times, times, whole_ns);
  cells["operator"] = std::string(trace.strings[use.name]);
  cells["phase"] = std::string(name_of(use.phase));
  cells["input_shapes"] = std::string(trace.strings[use.input_dims]);
  if (const uint32_t number = stacks.number(use.op); number != kNoRow) cells["stack"] = int64_t{number};
  return cells;
}

void name_module(Cells& cells, const BreakdownNode& node) {
  if (node.parent == kNoRow) {
    cells["module"] = std::string(kWhole);
  } else {
    cells["module"] = node.name.empty() ? fmt::format("({})", node.class_name) : node.name;
  }
  cells["class"] = node.class_name;
}

void name_line(Cells& cells, const std::string& file, int64_t line, const std::string& function) {
  if (!file.empty()) {
    cells["place"] = fmt::format("{}:{}", file.substr(file.rfind('/') + 1), line);
    cells["line"] = line;
  } else {
    cells["place"] = std::string(kWhole);
  }
  cells["function"] = function;
  cells["file"] = file;
}

bool is_use_column(std::string_view name) {
  return name == "operator" || name == "phase" || name == "input_shapes" || name == "stack";
}
bool is_tree_column(std::string_view name) { return name == "depth" || name == "node" || name == "parent"; }

Table make_table(std::span<const ColumnDef> columns, std::string_view group, std::vector<Cells> rows) {
  Table table;
  for (const ColumnDef& column : columns) {
    if (is_use_column(column.name) && group != "op") continue;
    if (is_tree_column(column.name) && group == "line") continue;
    table.columns.push_back(column);
  }
  for (Cells& cells : rows) {
    std::vector<Cell>& row = table.rows.emplace_back();
    for (const ColumnDef& column : table.columns) {
      Cell& cell = cells[column.name];
      const bool is_missing_text = column.unit == Unit::kText && std::holds_alternative<std::monostate>(cell);
      row.push_back(is_missing_text ? Cell(std::string()) : std::move(cell));
    }
  }
  if (group != "line" && group != "op") table.indent_by = "depth";
  return table;
}

template <typename Name>
std::vector<Cells> rows_of(const AnalyzedTrace& analyzed, const BreakdownTree& nodes, bool by_op,
                           int64_t whole_ns, Name name) {
  std::vector<Cells> rows;
  const auto push = [&](Cells cells, uint32_t i) {
    name(cells, nodes[i]);
    cells["depth"] = int64_t{nodes[i].depth};
    cells["node"] = int64_t{i};
    if (nodes[i].parent != kNoRow) cells["parent"] = int64_t{nodes[i].parent};
    rows.push_back(std::move(cells));
  };
  if (!by_op) {
    for (uint32_t i = 0; i < nodes.size(); ++i) {
      Cells cells;
      add_times(cells, nodes[i].own, nodes[i].total, whole_ns);
      push(std::move(cells), i);
    }
    return rows;
  }
  const OpStacks& stacks = analyzed.get<OpStacks>();
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    for (const OpUse& use : nodes[i].uses) push(cells_of_use(analyzed.trace(), stacks, use, whole_ns), i);
  }
  return rows;
}

}  // namespace

Table modules_table(const AnalyzedTrace& analyzed, const TableOptions& options) {
  const std::shared_ptr<const Breakdown> breakdown = chosen_breakdown(analyzed, options);
  const bool by_op = options.group_by == "op";
  return make_table(kModulesColumns, options.group_by,
                    rows_of(analyzed, breakdown->modules, by_op, breakdown->wall_ns(), name_module));
}

Table lines_table(const AnalyzedTrace& analyzed, const TableOptions& options) {
  const std::shared_ptr<const Breakdown> breakdown = chosen_breakdown(analyzed, options);
  if (options.group_by != "line") {
    const auto name = [](Cells& cells, const BreakdownNode& node) {
      name_line(cells, node.name, node.line, node.function);
    };
    const bool by_op = options.group_by == "op";
    return make_table(kLinesColumns, options.group_by,
                      rows_of(analyzed, breakdown->lines, by_op, breakdown->wall_ns(), name));
  }
  std::vector<Cells> rows;
  const auto push = [&](const LineTimes& line) {
    Cells& cells = rows.emplace_back();
    add_times(cells, line.own, line.total, breakdown->wall_ns());
    name_line(cells, line.file, line.line, line.function);
  };
  if (!breakdown->lines.empty()) push({"", 0, "", breakdown->lines[0].own, breakdown->lines[0].total});
  for (const LineTimes& line : breakdown->flat_lines) push(line);
  return make_table(kLinesColumns, options.group_by, std::move(rows));
}

}  // namespace skyline
