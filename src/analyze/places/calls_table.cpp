#include "analyze/places/calls_table.h"

#include <climits>

#include "analyze/core/host_ranges.h"
#include "analyze/core/op_memory.h"
#include "analyze/core/row_source.h"
#include "analyze/core/saturate.h"
#include "analyze/core/step_window.h"
#include "analyze/places/op_stacks.h"
#include "analyze/time/op_time.h"

namespace skyline {
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
    for (const ColumnDef& column : kCallsColumns) {
      if (column.name == "kind" && !options.ranges) continue;
      columns_.push_back(column);
      all_columns_.push_back(static_cast<size_t>(&column - kCallsColumns));
    }
  }

  std::vector<ColumnDef> columns() const override { return columns_; }
  size_t size() const override { return ops_.size(); }
  size_t held_bytes() const override {
    return selected_.held_bytes() + calls_.size() * sizeof(Call) + is_operator_.size() / CHAR_BIT;
  }

  // In the order of kCallsColumns.
  Cell cell(size_t row, size_t column) const override {
    const uint32_t op = ops_[row];
    const Call& call = calls_[op];
    const SliceId slice = trace_.ops.slice[op];
    switch (all_columns_[column]) {
      case 0:
        return int64_t{call.number};
      case 1:
        return std::string(trace_.slice_name(slice));
      case 2:
        return std::string(is_operator_[op] ? "operator" : "range");
      case 3:
        return std::string(trace_.strings[trace_.tracks[trace_.slices.track[slice.value].value].thread]);
      case 4:
        return minus(trace_.slices.start_ns[slice.value], trace_.first_ns);
      case 5:
        return trace_.slices.dur_ns[slice.value];
      case 6:
        return int64_t{call.self_ns};
      case 7:
        return call.parent == kNoRow ? Cell() : Cell(int64_t{calls_[call.parent].number});
      case 8:
        return trace_.ops.sequence[op] < 0 ? Cell() : Cell(trace_.ops.sequence[op]);
      case 9:
        return int64_t{trace_.ops.fwd_thread[op]};
      case 10:
        return std::string(trace_.strings[trace_.ops.input_dims[op]]);
      case 11:
        return int64_t{call.memory_total};
      case 12:
        return int64_t{call.memory_self};
      default:
        return stacks_.number(op) == kNoRow ? Cell() : Cell(int64_t{stacks_.number(op)});
    }
  }

 private:
  const Trace& trace_;
  SelectedCalls selected_;
  const std::span<const uint32_t> ops_;  // rows of Trace::ops
  const std::vector<Call> calls_;
  const OpStacks& stacks_;
  std::vector<bool> is_operator_;
  std::vector<ColumnDef> columns_;
  std::vector<size_t> all_columns_;  // by column its place in kCallsColumns
};

}  // namespace

std::unique_ptr<RowSource> open_calls(const AnalyzedTrace& analyzed, const TableOptions& options) {
  return std::make_unique<CallRows>(analyzed, options);
}

Table calls_table(const AnalyzedTrace& analyzed, const TableOptions& options) {
  const CallRows calls(analyzed, options);
  Table table;
  table.columns = calls.columns();
  table.rows.resize(calls.size());
  for (size_t row = 0; row < calls.size(); ++row) {
    table.rows[row].reserve(table.columns.size());
    for (size_t column = 0; column < table.columns.size(); ++column)
      table.rows[row].push_back(calls.cell(row, column));
  }
  return table;
}

}  // namespace skyline
