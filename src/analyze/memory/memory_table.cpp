#include "analyze/memory/memory_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "analyze/core/named_cells.h"
#include "analyze/core/saturate.h"
#include "analyze/core/table_query.h"
#include "analyze/memory/at_peak.h"
#include "analyze/memory/curve.h"
#include "analyze/memory/lines.h"
#include "analyze/memory/modules.h"
#include "analyze/memory/roles.h"

namespace skyline::analyze {
namespace {

constexpr std::string_view kNoNames =
    "Roles are not known in this trace: which tensors are weights, buffers, gradients, optimizer state or "
    "inputs was not recorded; only a session (skyline interactive) does.";

constexpr size_t kStretches = 30;  // of the curve: as many rows as are shown at once

// What a row tells of blocks that live at a peak, whatever they are grouped by.
struct PeakRow {
  const MemoryAtPeak& peak;
  std::string name;
  RoleBytes total;
  int64_t blocks = 0;
  // Of a module.
  int64_t own_bytes = 0;
  int64_t depth = 0;
  std::string class_name = {};
  // Of a block.
  std::string role = {}, module = {}, line = {};
};

std::vector<PeakRow> rows_by_role(const AnalyzedTrace& analyzed, const MemoryAtPeak& peak) {
  const auto count = [&](MemoryRole role) {
    return std::count_if(peak.blocks.begin(), peak.blocks.end(),
                         [&](const PeakBlock& block) { return block.role == role; });
  };
  const bool has_names = roles_are_known(analyzed.trace());
  std::vector<PeakRow> rows;
  for (const MemoryRoleDef& def : kMemoryRoles) {
    if (!has_names && needs_names(def.role)) continue;
    RoleBytes total;
    total.add(def.role, peak.roles[def.role]);
    rows.push_back({.peak = peak, .name = std::string(def.name), .total = total, .blocks = count(def.role)});
  }
  return rows;
}

std::string shown_name(const MemoryNode& node) {
  if (node.depth == 0) return "(all)";
  if (!node.name.empty()) return node.name;
  return node.class_name.empty() ? "(model)" : fmt::format("({})", node.class_name);
}

std::vector<PeakRow> rows_by_module(const AnalyzedTrace& analyzed, const MemoryAtPeak& peak) {
  std::vector<PeakRow> rows;
  for (const MemoryNode& node : memory_by_module(analyzed, peak)) {
    rows.push_back({.peak = peak,
                    .name = shown_name(node),
                    .total = node.total,
                    .blocks = node.blocks,
                    .own_bytes = node.own.sum(),
                    .depth = node.depth,
                    .class_name = node.class_name});
  }
  return rows;
}

std::string shown_line(std::string_view file, int64_t line) {
  return file.empty() ? "(no line)" : fmt::format("{}:{}", file, line);
}

std::vector<PeakRow> rows_by_line(const AnalyzedTrace& analyzed, const MemoryAtPeak& peak) {
  std::vector<PeakRow> rows;
  for (const MemoryLine& line : memory_by_line(analyzed.trace(), peak)) {
    rows.push_back(
        {.peak = peak, .name = shown_line(line.file, line.line), .total = line.total, .blocks = line.blocks});
  }
  return rows;
}

std::string shown_block(const Trace& trace, const PeakBlock& block) {
  if (block.tensor != kNoRow) return std::string(trace.strings[trace.tensors.name[block.tensor]]);
  return block.op == kNoRow ? "(no operator)" : std::string(trace.slice_name(trace.ops.slice[block.op]));
}

// The largest first; of equals the oldest.
std::vector<PeakRow> rows_by_block(const AnalyzedTrace& analyzed, const MemoryAtPeak& peak) {
  const Trace& trace = analyzed.trace();
  const std::vector<FrameId> frames = lines_of_blocks(trace, peak);
  std::vector<size_t> order(peak.blocks.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return peak.blocks[a].bytes > peak.blocks[b].bytes; });
  std::vector<PeakRow> rows;
  for (const size_t i : order) {
    const PeakBlock& block = peak.blocks[i];
    const std::string line = frames[i].exists()
                                 ? shown_line(trace.strings[trace.frames.file[frames[i].value]],
                                              trace.frames.line[frames[i].value])
                                 : shown_line({}, 0);
    RoleBytes total;
    total.add(block.role, block.bytes);
    rows.push_back({.peak = peak,
                    .name = shown_block(trace, block),
                    .total = total,
                    .blocks = 1,
                    .role = std::string(name_of(block.role)),
                    .module = std::string(module_of(trace, block)),
                    .line = line});
  }
  return rows;
}

// `has_names`: see roles_are_known().
NamedCells<PeakRow> peak_cells(bool has_names) {
  const auto of_role = [&](MemoryRole role) {
    return [role, is_known = has_names || !needs_names(role)](const PeakRow& row) {
      return is_known ? Cell(row.total[role]) : Cell();
    };
  };
  const auto rest = [](const PeakRow& row) {
    int64_t bytes = row.total.sum();
    for (const MemoryRole shown : {MemoryRole::kWeights, MemoryRole::kActivations, MemoryRole::kGradients,
                                   MemoryRole::kOptimizerState, MemoryRole::kTemporaries})
      bytes -= row.total[shown];
    return bytes;
  };
  return {kMemoryColumns,
          {
              {"name", [](const PeakRow& row) { return row.name; }},
              {"role", [](const PeakRow& row) { return row.role; }},
              {"module", [](const PeakRow& row) { return row.module; }},
              {"line", [](const PeakRow& row) { return row.line; }},
              {"size", [](const PeakRow& row) { return row.total.sum(); }},
              {"share", [](const PeakRow& row) { return share_cell(row.total.sum(), row.peak.peak.bytes); }},
              {"weights", of_role(MemoryRole::kWeights)},
              {"activations", of_role(MemoryRole::kActivations)},
              {"gradients", of_role(MemoryRole::kGradients)},
              {"optimizer_state", of_role(MemoryRole::kOptimizerState)},
              {"temporaries", of_role(MemoryRole::kTemporaries)},
              {"rest", rest},
              {"own", [](const PeakRow& row) { return row.own_bytes; }},
              {"depth", [](const PeakRow& row) { return row.depth; }},
              {"class", [](const PeakRow& row) { return row.class_name; }},
              {"blocks", [](const PeakRow& row) { return row.blocks; }},
              {"device", [](const PeakRow& row) { return name_of(row.peak.device); }},
          },
          CellsOf::kSomeColumns};
}

// From the first event to the last, or of one step.
Table stretches_of_time(const AnalyzedTrace& analyzed, std::optional<int64_t> step) {
  struct Stretch {
    const MemoryCurves::DeviceCurve& stair;
    const MemoryCurve& curve;
    size_t point;
  };
  const Trace& trace = analyzed.trace();
  const auto reserved = [](const Stretch& at) {
    return at.curve.reserved_bytes.empty() ? Cell() : Cell(at.curve.reserved_bytes[at.point]);
  };
  const NamedCells<Stretch> cells(
      kMemoryColumns,
      {
          {"time", [&](const Stretch& at) { return minus(at.curve.time_ns[at.point], trace.first_ns); }},
          {"least", [](const Stretch& at) { return at.curve.low_bytes[at.point]; }},
          {"most", [](const Stretch& at) { return at.curve.high_bytes[at.point]; }},
          {"reserved", reserved},
          {"device", [](const Stretch& at) { return name_of(at.stair.device); }},
      },
      CellsOf::kSomeColumns);
  Table table;
  table.columns = cells.columns();
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
    for (size_t i = 0; i < curve.time_ns.size(); ++i) table.rows.push_back(cells.row({stair, curve, i}));
  }
  return table;
}

// Of the peak: which rows, and what is told of them besides the device.
struct Grouping {
  std::string_view name;
  std::vector<PeakRow> (*rows)(const AnalyzedTrace& analyzed, const MemoryAtPeak& peak);
  std::vector<std::string_view> columns;

  bool shows(std::string_view column) const {
    return column == "device" || std::find(columns.begin(), columns.end(), column) != columns.end();
  }
};

const Grouping kGroupings[] = {
    {"role", rows_by_role, {"name", "size", "share", "blocks"}},
    {"module",
     rows_by_module,
     {"name", "size", "share", "weights", "activations", "gradients", "optimizer_state", "temporaries",
      "rest", "own", "depth", "class", "blocks"}},
    {"line",
     rows_by_line,
     {"name", "size", "share", "weights", "activations", "gradients", "optimizer_state", "temporaries",
      "rest", "blocks"}},
    {"block", rows_by_block, {"name", "role", "module", "line", "size", "share"}},
};

}  // namespace

Table memory_table(const AnalyzedTrace& analyzed, const TableOptions& options) {
  if (options.group_by == "time") return stretches_of_time(analyzed, options.step);
  const Grouping& grouping =
      *std::find_if(std::begin(kGroupings), std::end(kGroupings),
                    [&](const Grouping& known) { return known.name == options.group_by; });
  const bool has_names = roles_are_known(analyzed.trace());
  NamedCells<PeakRow> cells = peak_cells(has_names);
  cells.show_only([&](std::string_view column) { return grouping.shows(column); });
  Table table;
  table.columns = cells.columns();
  const std::shared_ptr<const MemoryPeaks> peaks = shared_peaks(analyzed, options.step);
  for (const MemoryAtPeak& peak : *peaks) {
    for (const PeakRow& row : grouping.rows(analyzed, peak)) table.rows.push_back(cells.row(row));
  }
  if (!table.rows.empty() && !has_names) table.note = kNoNames;
  return table;
}

}  // namespace skyline::analyze
