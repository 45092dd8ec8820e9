#include "analyze/memory/memory_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "analyze/core/saturate.h"
#include "analyze/core/table_query.h"
#include "analyze/memory/at_peak.h"
#include "analyze/memory/curve.h"
#include "analyze/memory/roles.h"

namespace skyline {
namespace {

constexpr std::string_view kNoNames =
    "Roles are not known in this trace: which tensors are weights, buffers, gradients, optimizer state or "
    "inputs was not recorded; only a session (skyline interactive) does.";

constexpr size_t kStretches = 30;  // of the curve: as many rows as are shown at once

using AddRows = void (*)(const AnalyzedTrace& analyzed, const MemoryAtPeak& peak, Table& table);

struct Grouping {
  std::string_view name;
  std::vector<std::string_view> columns;  // with the device behind them
  AddRows add_rows;                       // null: not of the peak
};

void add_row(Table& table, std::vector<Cell> cells, const MemoryAtPeak& peak) {
  cells.emplace_back(name_of(peak.device));
  table.rows.push_back(std::move(cells));
}

// `has_names`: see roles_are_known().
void append_roles(const RoleBytes& roles, bool has_names, std::vector<Cell>& cells) {
  int64_t rest = roles.sum();
  for (const MemoryRole role : {MemoryRole::kWeights, MemoryRole::kActivations, MemoryRole::kGradients,
                                MemoryRole::kOptimizerState, MemoryRole::kTemporaries}) {
    cells.push_back(has_names || !needs_names(role) ? Cell(roles[role]) : Cell());
    rest -= roles[role];
  }
  cells.emplace_back(rest);
}

void add_roles(const AnalyzedTrace& analyzed, const MemoryAtPeak& peak, Table& table) {
  const auto count = [&](MemoryRole role) {
    return std::count_if(peak.blocks.begin(), peak.blocks.end(),
                         [&](const PeakBlock& block) { return block.role == role; });
  };
  const bool has_names = roles_are_known(analyzed.trace());
  for (const MemoryRoleDef& def : kMemoryRoles) {
    if (!has_names && needs_names(def.role)) continue;
    const int64_t bytes = peak.roles[def.role];
    add_row(table,
            {std::string(def.name), bytes, share_cell(bytes, peak.peak.bytes), int64_t{count(def.role)}},
            peak);
  }
}

std::string shown_name(const MemoryNode& node) {
  if (node.depth == 0) return "(all)";
  if (!node.name.empty()) return node.name;
  return node.class_name.empty() ? "(model)" : fmt::format("({})", node.class_name);
}

void add_modules(const AnalyzedTrace& analyzed, const MemoryAtPeak& peak, Table& table) {
  for (const MemoryNode& node : memory_by_module(analyzed, peak)) {
    const int64_t bytes = node.total.sum();
    std::vector<Cell> cells = {shown_name(node), bytes, share_cell(bytes, peak.peak.bytes)};
    append_roles(node.total, roles_are_known(analyzed.trace()), cells);
    cells.emplace_back(node.own.sum());
    cells.emplace_back(int64_t{node.depth});
    cells.emplace_back(node.class_name);
    cells.emplace_back(int64_t{node.blocks});
    add_row(table, std::move(cells), peak);
  }
}

std::string shown_line(std::string_view file, int64_t line) {
  return file.empty() ? "(no line)" : fmt::format("{}:{}", file, line);
}

void add_lines(const AnalyzedTrace& analyzed, const MemoryAtPeak& peak, Table& table) {
  for (const MemoryLine& line : memory_by_line(analyzed.trace(), peak)) {
    const int64_t bytes = line.total.sum();
    std::vector<Cell> cells = {shown_line(line.file, line.line), bytes, share_cell(bytes, peak.peak.bytes)};
    append_roles(line.total, roles_are_known(analyzed.trace()), cells);
    cells.emplace_back(int64_t{line.blocks});
    add_row(table, std::move(cells), peak);
  }
}

std::string shown_block(const Trace& trace, const PeakBlock& block) {
  if (block.tensor != kNoRow) return std::string(trace.strings[trace.tensors.name[block.tensor]]);
  return block.op == kNoRow ? "(no operator)" : std::string(trace.slice_name(trace.ops.slice[block.op]));
}

// The largest first; of equals the oldest.
void add_blocks(const AnalyzedTrace& analyzed, const MemoryAtPeak& peak, Table& table) {
  const Trace& trace = analyzed.trace();
  const std::vector<FrameId> frames = lines_of_blocks(trace, peak);
  std::vector<size_t> order(peak.blocks.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return peak.blocks[a].bytes > peak.blocks[b].bytes; });
  for (const size_t i : order) {
    const PeakBlock& block = peak.blocks[i];
    const std::string line = frames[i].exists()
                                 ? shown_line(trace.strings[trace.frames.file[frames[i].value]],
                                              trace.frames.line[frames[i].value])
                                 : shown_line({}, 0);
    add_row(
        table,
        {shown_block(trace, block), std::string(name_of(block.role)), std::string(module_of(trace, block)),
         line, block.bytes, share_cell(block.bytes, peak.peak.bytes)},
        peak);
  }
}

// From the first event to the last, or of one step.
void add_stretches(const AnalyzedTrace& analyzed, std::optional<int64_t> step, Table& table) {
  const Trace& trace = analyzed.trace();
  const MemoryCurves& curves = analyzed.get<MemoryCurves>();
  for (size_t device = 0; device < curves.devices().size(); ++device) {
    const MemoryCurves::DeviceCurve& stair = curves.devices()[device];
    int64_t start_ns = stair.start_ns, end_ns = stair.end_ns;
    for (const Step& one : trace.steps) {
      if (one.number != step) continue;
      start_ns = one.start_ns;
      end_ns = std::max(one.end_ns, plus(start_ns, 1));
    }
    const MemoryCurve curve = curves.curve(device, start_ns, end_ns, kStretches);
    for (size_t i = 0; i < curve.time_ns.size(); ++i) {
      table.rows.push_back({minus(curve.time_ns[i], trace.first_ns), curve.low_bytes[i], curve.high_bytes[i],
                            curve.reserved_bytes.empty() ? Cell() : Cell(curve.reserved_bytes[i]),
                            name_of(stair.device)});
    }
  }
}

const Grouping kGroupings[] = {
    {"role", {"name", "size", "share", "blocks"}, add_roles},
    {"module",
     {"name", "size", "share", "weights", "activations", "gradients", "optimizer_state", "temporaries",
      "rest", "own", "depth", "class", "blocks"},
     add_modules},
    {"line",
     {"name", "size", "share", "weights", "activations", "gradients", "optimizer_state", "temporaries",
      "rest", "blocks"},
     add_lines},
    {"block", {"name", "role", "module", "line", "size", "share"}, add_blocks},
    {"time", {"time", "least", "most", "reserved"}, nullptr},
};

}  // namespace

Table memory_table(const AnalyzedTrace& analyzed, const TableOptions& options) {
  const Grouping& grouping =
      *std::find_if(std::begin(kGroupings), std::end(kGroupings),
                    [&](const Grouping& known) { return known.name == options.group_by; });
  Table table;
  std::vector<std::string_view> columns = grouping.columns;
  columns.push_back("device");
  for (const std::string_view name : columns) {
    table.columns.push_back(*std::find_if(std::begin(kMemoryColumns), std::end(kMemoryColumns),
                                          [&](const ColumnDef& column) { return column.name == name; }));
  }
  if (grouping.add_rows == nullptr) {
    add_stretches(analyzed, options.step, table);
    return table;
  }
  const std::shared_ptr<const MemoryPeaks> peaks = shared_peaks(analyzed, options.step);
  for (const MemoryAtPeak& peak : *peaks) grouping.add_rows(analyzed, peak, table);
  if (!table.rows.empty() && !roles_are_known(analyzed.trace())) table.note = kNoNames;
  return table;
}

}  // namespace skyline
