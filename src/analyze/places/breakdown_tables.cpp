#include "analyze/places/breakdown_tables.h"

#include <fmt/format.h>

#include "analyze/core/named_cells.h"
#include "analyze/core/step_window.h"
#include "analyze/core/table_query.h"
#include "analyze/places/breakdown.h"
#include "analyze/places/op_stacks.h"

namespace skyline::analyze {
namespace {

constexpr std::string_view kWhole = "(iteration)";

// Of the step that the options name; the words were checked.
std::shared_ptr<const Breakdown> chosen_breakdown(const AnalyzedTrace& analyzed,
                                                  const TableOptions& options) {
  return shared_breakdown(analyzed, options.step ? find_step(analyzed.trace(), *options.step) : nullptr);
}

// A place, or one operator's use there, before it is known which columns are shown.
struct PlaceRow {
  BreakdownTimes own, total;
  const BreakdownNode* node = nullptr;  // null: of a line, summed over all of its places
  uint32_t number = kNoRow;             // of the node
  const OpUse* use = nullptr;           // null: of the whole place
  // A line.
  std::string_view file = {}, function = {};
  int64_t line = 0;
  PhaseTimes near = {};
};

using Cells = std::vector<NamedCells<PlaceRow>::Named>;

// What both tables tell of a place.
Cells common_cells(const AnalyzedTrace& analyzed, int64_t whole_ns) {
  const Trace& trace = analyzed.trace();
  const auto text_of_use = [&](StringId OpUse::*text) {
    return [&trace, text](const PlaceRow& row) {
      return row.use == nullptr ? std::string() : std::string(trace.strings[row.use->*text]);
    };
  };
  const auto stack_of_use = [&analyzed](const PlaceRow& row) {
    const uint32_t number = row.use == nullptr ? kNoRow : analyzed.get<OpStacks>().number(row.use->op);
    return number == kNoRow ? Cell() : Cell(int64_t{number});
  };
  Cells cells = {
      {"operator", text_of_use(&OpUse::name)},
      {"phase",
       [](const PlaceRow& row) {
         return row.use == nullptr ? std::string() : std::string(name_of(row.use->phase));
       }},
      {"input_shapes", text_of_use(&OpUse::input_dims)},
      {"stack", stack_of_use},
      {"device_total", [](const PlaceRow& row) { return row.total.device.sum(); }},
      {"device_own", [](const PlaceRow& row) { return row.own.device.sum(); }},
      {"host_total", [](const PlaceRow& row) { return row.total.host.sum(); }},
      {"host_own", [](const PlaceRow& row) { return row.own.exact().host.sum(); }},
      {"share", [=](const PlaceRow& row) { return share_cell(row.total.host.sum(), whole_ns); }},
      {"calls", [](const PlaceRow& row) { return row.total.calls; }},
      {"depth",
       [](const PlaceRow& row) { return row.node == nullptr ? Cell() : Cell(int64_t{row.node->depth}); }},
      {"node", [](const PlaceRow& row) { return row.node == nullptr ? Cell() : Cell(int64_t{row.number}); }},
      {"parent",
       [](const PlaceRow& row) {
         const bool has_one = row.node != nullptr && row.node->parent != kNoRow;
         return has_one ? Cell(int64_t{row.node->parent}) : Cell();
       }},
  };
  for (const PhaseDef& def : kPhases) {
    cells.push_back({def.name, [phase = def.phase](const PlaceRow& row) { return row.total.host[phase]; }});
  }
  return cells;
}

std::string shown_module(const PlaceRow& row) {
  if (row.node->parent == kNoRow) return std::string(kWhole);
  return row.node->name.empty() ? fmt::format("({})", row.node->class_name) : row.node->name;
}

std::string shown_place(const PlaceRow& row) {
  if (row.file.empty()) return std::string(kWhole);
  return fmt::format("{}:{}", row.file.substr(row.file.rfind('/') + 1), row.line);
}

Cells module_cells(const AnalyzedTrace& analyzed, int64_t whole_ns) {
  Cells cells = common_cells(analyzed, whole_ns);
  cells.push_back({"module", shown_module});
  cells.push_back({"class", [](const PlaceRow& row) { return row.node->class_name; }});
  return cells;
}

Cells line_cells(const AnalyzedTrace& analyzed, int64_t whole_ns) {
  Cells cells = common_cells(analyzed, whole_ns);
  cells.push_back({"place", shown_place});
  cells.push_back({"function", [](const PlaceRow& row) { return std::string(row.function); }});
  cells.push_back({"python_near", [](const PlaceRow& row) { return row.near.sum(); }});
  cells.push_back({"elsewhere", [](const PlaceRow& row) { return row.total.elsewhere_ns; }});
  cells.push_back({"file", [](const PlaceRow& row) { return std::string(row.file); }});
  cells.push_back({"line", [](const PlaceRow& row) { return row.file.empty() ? Cell() : Cell(row.line); }});
  return cells;
}

bool is_use_column(std::string_view name) {
  return name == "operator" || name == "phase" || name == "input_shapes" || name == "stack";
}
bool is_tree_column(std::string_view name) { return name == "depth" || name == "node" || name == "parent"; }

Table make_table(std::span<const ColumnDef> columns, std::string_view group, Cells named,
                 const std::vector<PlaceRow>& rows) {
  NamedCells<PlaceRow> cells(columns, std::move(named));
  cells.show_only([&](std::string_view column) {
    if (is_use_column(column)) return group == "op";
    return !is_tree_column(column) || group != "line";
  });
  Table table;
  table.columns = cells.columns();
  for (const PlaceRow& row : rows) table.rows.push_back(cells.row(row));
  if (group != "line" && group != "op") table.indent_by = "depth";
  return table;
}

PlaceRow row_of_node(const BreakdownTree& nodes, uint32_t number) {
  const BreakdownNode& node = nodes[number];
  return {.own = node.own,
          .total = node.total,
          .node = &node,
          .number = number,
          .file = node.name,  // of a line
          .function = node.function,
          .line = node.line,
          .near = node.own.near};
}

std::vector<PlaceRow> rows_of(const BreakdownTree& nodes, bool by_op) {
  std::vector<PlaceRow> rows;
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    PlaceRow row = row_of_node(nodes, i);
    if (!by_op) {
      rows.push_back(row);
      continue;
    }
    for (const OpUse& use : nodes[i].uses) {
      BreakdownTimes times;
      times.host.add(use.phase, use.host_ns);
      times.device.add(use.phase, use.device_ns);
      times.calls = use.calls;
      row.own = row.total = times;
      row.near = {};
      row.use = &use;
      rows.push_back(row);
    }
  }
  return rows;
}

std::vector<PlaceRow> rows_of_lines(const Breakdown& breakdown) {
  std::vector<PlaceRow> rows;
  if (!breakdown.lines.empty())
    rows.push_back({.own = breakdown.lines[0].own, .total = breakdown.lines[0].total});
  for (const LineTimes& line : breakdown.flat_lines) {
    rows.push_back({.own = line.own,
                    .total = line.total,
                    .file = line.file,
                    .function = line.function,
                    .line = line.line,
                    .near = line.near});
  }
  return rows;
}

}  // namespace

Table modules_table(const AnalyzedTrace& analyzed, const TableOptions& options) {
  const std::shared_ptr<const Breakdown> breakdown = chosen_breakdown(analyzed, options);
  return make_table(kModulesColumns, options.group_by, module_cells(analyzed, breakdown->wall_ns()),
                    rows_of(breakdown->modules, options.group_by == "op"));
}

Table lines_table(const AnalyzedTrace& analyzed, const TableOptions& options) {
  const std::shared_ptr<const Breakdown> breakdown = chosen_breakdown(analyzed, options);
  const bool is_flat = options.group_by == "line";
  return make_table(
      kLinesColumns, options.group_by, line_cells(analyzed, breakdown->wall_ns()),
      is_flat ? rows_of_lines(*breakdown) : rows_of(breakdown->lines, options.group_by == "op"));
}

}  // namespace skyline::analyze
