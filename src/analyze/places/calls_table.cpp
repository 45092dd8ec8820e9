#include "analyze/places/calls_table.h"

#include <climits>

#include "analyze/core/host_ranges.h"
#include "analyze/core/named_cells.h"
#include "analyze/core/op_memory.h"
#include "analyze/core/row_source.h"
#include "analyze/core/saturate.h"
#include "analyze/core/step_window.h"
#include "analyze/places/op_stacks.h"
#include "analyze/time/flops.h"
#include "analyze/time/op_time.h"

namespace skyline::analyze {
namespace {

struct Call {
  uint32_t number = 0;
  uint32_t parent = kNoRow;  // row of Trace::ops
  SumNs self_ns;
  SumNs memory_total, memory_self;
};

// By row of Trace::ops.
std::vector<Call> describe_calls(const Trace& trace, SelectedCalls& selected) {
  const std::span<const uint32_t> ops = selected.ops();
  std::vector<Call> calls(trace.ops.size());
  uint32_t number = 0;
  for (const uint32_t op : ops) {
    calls[op].number = number++;
    const SliceId outer = trace.slices.parent[trace.ops.slice[op].value];
    if (outer.exists()) calls[op].parent = selected.around()[outer.value];
  }
  for_each_self_stretch(trace, ops, [&](uint32_t op, int64_t start_ns, int64_t end_ns) {
    calls[op].self_ns += end_ns - start_ns;
  });
  const std::span<const uint32_t> around = selected.around_memory();
  for (uint32_t row = 0; row < around.size(); ++row) {
    if (around[row] == kNoRow || !is_host_memory(trace.memory.device_type[row])) continue;
    calls[around[row]].memory_self += trace.memory.bytes[row];
  }
  // Parents stand before their children.
  for (auto op = ops.rbegin(); op != ops.rend(); ++op) {
    calls[*op].memory_total += calls[*op].memory_self;
    if (calls[*op].parent != kNoRow) calls[calls[*op].parent].memory_total += calls[*op].memory_total;
  }
  return calls;
}

class CallRows : public RowSource {
 public:
  CallRows(const AnalyzedTrace& analyzed, const TableOptions& options)
      : trace_(analyzed.trace()),
        selected_(analyzed, StepFilter(trace_, options.step), options.ranges),
        ops_(selected_.ops()),
        calls_(describe_calls(trace_, selected_)),
        stacks_(analyzed.get<OpStacks>()),
        is_operator_(trace_.ops.size(), false) {
    OperatorTest is_operator(trace_);
    for (const uint32_t op : ops_) is_operator_[op] = is_operator(trace_.ops.slice[op]);
    if (!options.ranges) cells_.show_only([](std::string_view column) { return column != "kind"; });
  }

  std::vector<ColumnDef> columns() const override { return cells_.columns(); }
  size_t size() const override { return ops_.size(); }
  size_t held_bytes() const override {
    return selected_.held_bytes() + calls_.size() * sizeof(Call) + is_operator_.size() / CHAR_BIT;
  }

  Cell cell(size_t row, size_t column) const override { return cells_.cell(ops_[row], column); }
  std::vector<Cell> row(size_t row) const { return cells_.row(ops_[row]); }

 private:
  // By row of Trace::ops.
  NamedCells<uint32_t> make_cells() const {
    const auto slice = [this](uint32_t op) { return trace_.ops.slice[op].value; };
    const auto number = [](uint32_t row) { return row == kNoRow ? Cell() : Cell(int64_t{row}); };
    return {
        kCallsColumns,
        {
            {"call", [this](uint32_t op) { return int64_t{calls_[op].number}; }},
            {"name", [this](uint32_t op) { return std::string(trace_.slice_name(trace_.ops.slice[op])); }},
            {"kind", [this](uint32_t op) { return std::string(is_operator_[op] ? "operator" : "range"); }},
            {"thread",
             [this, slice](uint32_t op) {
               const Track& track = trace_.tracks[trace_.slices.track[slice(op)].value];
               return std::string(trace_.strings[track.thread]);
             }},
            {"start", [this, slice](
                          uint32_t op) { return minus(trace_.slices.start_ns[slice(op)], trace_.first_ns); }},
            {"duration", [this, slice](uint32_t op) { return trace_.slices.dur_ns[slice(op)]; }},
            {"host_self", [this](uint32_t op) { return int64_t{calls_[op].self_ns}; }},
            {"parent",
             [this, number](uint32_t op) {
               const uint32_t parent = calls_[op].parent;
               return number(parent == kNoRow ? kNoRow : calls_[parent].number);
             }},
            {"sequence",
             [this](uint32_t op) {
               return trace_.ops.sequence[op] < 0 ? Cell() : Cell(trace_.ops.sequence[op]);
             }},
            {"forward_thread", [this](uint32_t op) { return int64_t{trace_.ops.fwd_thread[op]}; }},
            {"input_shapes",
             [this](uint32_t op) { return std::string(trace_.strings[trace_.input_dims(op)]); }},
            {"input_types",
             [this](uint32_t op) { return std::string(trace_.strings[trace_.input_types(op)]); }},
            {"concrete_inputs",
             [this](uint32_t op) { return std::string(trace_.strings[trace_.ops.concrete_inputs_of(op)]); }},
            {"flops",
             [this](uint32_t op) {
               const std::optional<int64_t> flops = flops_of(trace_, op);
               return flops ? Cell(*flops) : Cell();
             }},
            {"host_memory_total", [this](uint32_t op) { return int64_t{calls_[op].memory_total}; }},
            {"host_memory_self", [this](uint32_t op) { return int64_t{calls_[op].memory_self}; }},
            {"stack", [this, number](uint32_t op) { return number(stacks_.number(op)); }},
        },
    };
  }

  const Trace& trace_;
  SelectedCalls selected_;
  const std::span<const uint32_t> ops_;  // rows of Trace::ops
  const std::vector<Call> calls_;
  const OpStacks& stacks_;
  std::vector<bool> is_operator_;
  NamedCells<uint32_t> cells_ = make_cells();
};

}  // namespace

std::unique_ptr<RowSource> open_calls(const AnalyzedTrace& analyzed, const TableOptions& options) {
  return std::make_unique<CallRows>(analyzed, options);
}

Table calls_table(const AnalyzedTrace& analyzed, const TableOptions& options) {
  const CallRows calls(analyzed, options);
  Table table;
  table.columns = calls.columns();
  table.rows.reserve(calls.size());
  for (size_t row = 0; row < calls.size(); ++row) table.rows.push_back(calls.row(row));
  return table;
}

}  // namespace skyline::analyze
