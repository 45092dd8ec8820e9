#include "analyze/places/stacks_table.h"

#include "analyze/core/named_cells.h"
#include "analyze/core/saturate.h"
#include "analyze/core/step_window.h"
#include "analyze/core/table_query.h"
#include "analyze/places/op_stacks.h"
#include "analyze/time/op_time.h"

namespace skyline {

Table stacks_table(const AnalyzedTrace& analyzed, const TableOptions& options) {
  const Trace& trace = analyzed.trace();
  struct Sums {
    int64_t calls = 0;
    SumNs host_self, device_self;
  };
  const OpStacks& stacks = analyzed.get<OpStacks>();
  std::vector<Sums> sums(stacks.count() + 1);  // the last is that of calls without
  const auto sums_of = [&](uint32_t op) -> Sums& {
    return stacks.number(op) == kNoRow ? sums.back() : sums[stacks.number(op)];
  };
  const StepFilter filter(trace, options.step);
  const SelectedCalls calls(analyzed, filter);
  for (const uint32_t op : calls.ops()) ++sums_of(op).calls;
  for_each_self_stretch(trace, calls.ops(), [&](uint32_t op, int64_t start_ns, int64_t end_ns) {
    sums_of(op).host_self += end_ns - start_ns;
  });
  for (uint32_t activity = 0; activity < trace.activities.size(); ++activity) {
    if (!filter.takes_activity(activity)) continue;
    const SliceId launch = trace.activities.launch[activity];
    const uint32_t call = launch.exists() ? calls.around()[launch.value] : kNoRow;
    if (call != kNoRow)
      sums_of(call).device_self += trace.slices.dur_ns[trace.activities.slice[activity].value];
  }

  const auto is_known = [&](uint32_t number) { return number < stacks.count(); };
  const NamedCells<uint32_t> cells(
      kStacksColumns,
      {
          {"stack", [&](uint32_t i) { return is_known(i) ? stacks.text(i) : std::string(kNoStackText); }},
          {"number", [&](uint32_t i) { return is_known(i) ? Cell(int64_t{i}) : Cell(); }},
          {"calls", [&](uint32_t i) { return sums[i].calls; }},
          {"host_self", [&](uint32_t i) { return int64_t{sums[i].host_self}; }},
          {"device_self", [&](uint32_t i) { return int64_t{sums[i].device_self}; }},
      });
  Table table;
  table.columns = cells.columns();
  for (uint32_t i = 0; i < sums.size(); ++i) {
    if (sums[i].calls > 0) table.rows.push_back(cells.row(i));  // others are stacks of ranges
  }
  sort_rows(table, trace.activities.size() > 0 ? "device_self" : "host_self");
  return table;
}

}  // namespace skyline
