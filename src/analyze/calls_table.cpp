#include "analyze/calls_table.h"

#include "analyze/host_ranges.h"
#include "analyze/op_memory.h"
#include "analyze/op_stacks.h"
#include "analyze/op_time.h"
#include "analyze/saturate.h"
#include "analyze/step_window.h"

namespace skyline {
namespace {

struct Call {
  uint32_t number = 0;
  uint32_t parent = kNoRow;  // row of Trace::ops
  SumNs self_ns;
  SumNs memory_total, memory_self;
};

std::vector<uint32_t> selected_calls(const Trace& trace, const TableOptions& options) {
  std::vector<uint32_t> calls = options.ranges ? calls_as_torch_counts(trace) : operator_calls(trace);
  const StepFilter filter(trace, options.step);
  std::erase_if(calls, [&](uint32_t op) { return !filter.takes_host(trace.ops.slice[op]); });
  return calls;
}

// By row of Trace::ops.
std::vector<Call> describe_calls(const Trace& trace, const std::vector<uint32_t>& ops) {
  std::vector<Call> calls(trace.ops.size());
  const std::vector<uint32_t> call_around = innermost_ops(trace, ops);
  uint32_t number = 0;
  for (const uint32_t op : ops) {
    calls[op].number = number++;
    const SliceId outer = trace.slices.parent[trace.ops.slice[op].value];
    if (outer.exists()) calls[op].parent = call_around[outer.value];
  }
  for_each_self_stretch(trace, ops, [&](uint32_t op, int64_t start_ns, int64_t end_ns) {
    calls[op].self_ns += end_ns - start_ns;
  });
  const std::vector<uint32_t> around = ops_around_memory(trace, ops);
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

}  // namespace

Table calls_table(const Trace& trace, const TableOptions& options) {
  const std::vector<uint32_t> ops = selected_calls(trace, options);
  const std::vector<Call> calls = describe_calls(trace, ops);
  OperatorTest is_operator(trace);
  const OpStacks stacks(trace);
  Table table;
  for (const ColumnDef& column : kCallsColumns) {
    if (column.name != "kind" || options.ranges) table.columns.push_back(column);
  }
  table.rows.reserve(ops.size());
  for (const uint32_t op : ops) {
    const Call& call = calls[op];
    const SliceId slice = trace.ops.slice[op];
    const Track& track = trace.tracks[trace.slices.track[slice.value].value];
    const int64_t sequence = trace.ops.sequence[op];
    std::vector<Cell> row = {int64_t{call.number}, std::string(trace.slice_name(slice))};
    if (options.ranges) row.emplace_back(is_operator(slice) ? "operator" : "range");
    const std::vector<Cell> rest = {
        std::string(trace.strings[track.thread]),
        minus(trace.slices.start_ns[slice.value], trace.first_ns),
        trace.slices.dur_ns[slice.value],
        int64_t{call.self_ns},
        call.parent == kNoRow ? Cell() : Cell(int64_t{calls[call.parent].number}),
        sequence < 0 ? Cell() : Cell(sequence),
        int64_t{trace.ops.fwd_thread[op]},
        std::string(trace.strings[trace.ops.input_dims[op]]),
        int64_t{call.memory_total},
        int64_t{call.memory_self},
        stacks.number(op) == kNoRow ? Cell() : Cell(int64_t{stacks.number(op)}),
    };
    row.insert(row.end(), rest.begin(), rest.end());
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace skyline
