#include "analyze/places/stacks_table.h"

#include <map>

#include "analyze/core/named_cells.h"
#include "analyze/core/saturate.h"
#include "analyze/core/step_window.h"
#include "analyze/core/table_query.h"
#include "analyze/places/gap_samples.h"
#include "analyze/places/op_stacks.h"
#include "analyze/time/op_time.h"

namespace skyline::analyze {
namespace {

struct SampledTime {
  int64_t python = 0, elsewhere = 0;
};

}  // namespace

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

  // Samples, by node of the frames; stacks in which no operator was called have rows of their own.
  const FrameTree& frames = analyzed.get<FrameTree>();
  std::map<uint32_t, SampledTime> sampled;
  for (const SampledStacks::Time& time : sampled_stacks(analyzed, options.step).times) {
    SampledTime& at = sampled[frames.node_of_stack(time.stack)];
    (time.other.exists() ? at.elsewhere : at.python) += time.time_ns;
  }
  struct Row {
    std::string text;
    uint32_t number;  // kNoRow: without
    Sums sums;
    SampledTime sampled;
  };
  std::vector<Row> rows;
  for (uint32_t i = 0; i < sums.size(); ++i) {
    if (sums[i].calls == 0) continue;  // stacks of ranges
    Row& row = rows.emplace_back(Row{std::string(kNoStackText), kNoRow, sums[i], {}});
    if (i == stacks.count()) continue;
    row.text = stacks.text(i);
    row.number = i;
    if (const auto found = sampled.find(stacks.node(i)); found != sampled.end()) {
      row.sampled = found->second;
      sampled.erase(found);
    }
  }
  for (const auto& [node, time] : sampled)
    if (node != PlaceTree::kRoot) rows.push_back({stacks.text_of_node(node), kNoRow, {}, time});
  const NamedCells<Row> cells(
      kStacksColumns,
      {
          {"stack", [](const Row& row) { return row.text; }},
          {"number",
           [](const Row& row) { return row.number == kNoRow ? Cell() : Cell(int64_t{row.number}); }},
          {"calls", [](const Row& row) { return row.sums.calls; }},
          {"host_self", [](const Row& row) { return int64_t{row.sums.host_self}; }},
          {"device_self", [](const Row& row) { return int64_t{row.sums.device_self}; }},
          {"python", [](const Row& row) { return row.sampled.python; }},
          {"elsewhere", [](const Row& row) { return row.sampled.elsewhere; }},
      });
  Table table;
  table.columns = cells.columns();
  for (const Row& row : rows) table.rows.push_back(cells.row(row));
  sort_rows(table, trace.activities.size() > 0 ? "device_self" : "host_self");
  return table;
}

}  // namespace skyline::analyze
