// Operators, grouped.
//
// Host time: every group's calls come thread by thread in order of start, so the union of a group's
// time on a thread is what each call adds beyond the latest end so far. Self time: op_time.h.
// Device time: an activity's duration goes to the operator around its launch, and in the totals once
// to every group on the way up from there.
#include "analyze/ops_table.h"

#include <algorithm>
#include <unordered_map>

#include "analyze/host_ranges.h"
#include "analyze/op_time.h"
#include "analyze/saturate.h"
#include "analyze/step_window.h"
#include "analyze/table_query.h"

namespace skyline {
namespace {

struct Group {
  StringId name;
  StringId input_dims;
  int64_t calls = 0;
  SumNs host_total;
  SumNs host_self;
  SumNs device_total;
  SumNs device_self;
  int64_t launches = 0;
  int64_t kernels = 0;

  // How far its time is counted on the thread that is being read.
  TrackId track;
  int64_t counted_until = 0;
  // The call whose way up was the last to come by.
  uint32_t visited_by = kNoRow;
};

struct DeviceTime {
  SumNs time_ns;
  int64_t launches = 0;
  int64_t kernels = 0;
};

class OpsTable {
 public:
  OpsTable(const Trace& trace, const TableOptions& options)
      : trace_(trace), filter_(trace, options.step), by_shape_(options.group_by == "shape") {}

  Table run() {
    select_calls();
    add_host_times();
    add_device_times();
    return rows();
  }

 private:
  void select_calls() {
    group_of_.assign(trace_.ops.size(), kNoRow);
    for (const uint32_t op : operator_calls(trace_)) {
      if (!filter_.takes_host(trace_.ops.slice[op])) continue;
      calls_.push_back(op);
      group_of_[op] = group_for(op);
    }
  }

  uint32_t group_for(uint32_t op) {
    const StringId name = trace_.slices.name[trace_.ops.slice[op].value];
    const StringId dims = by_shape_ ? trace_.ops.input_dims[op] : StringId();
    const uint64_t key = uint64_t{name.value} << 32 | dims.value;
    const auto [entry, is_new] = index_.try_emplace(key, static_cast<uint32_t>(groups_.size()));
    if (is_new) {
      Group group;
      group.name = name;
      group.input_dims = dims;
      groups_.push_back(group);
    }
    return entry->second;
  }

  void add_host_times() {
    for (const uint32_t op : calls_) {
      const SliceId slice = trace_.ops.slice[op];
      const int64_t start = trace_.slices.start_ns[slice.value], end = trace_.slices.end_ns(slice);
      Group& group = groups_[group_of_[op]];
      if (group.track != trace_.slices.track[slice.value]) {
        group.track = trace_.slices.track[slice.value];
        group.counted_until = start;
      }
      ++group.calls;
      group.host_total += std::max<int64_t>(0, minus(end, std::max(start, group.counted_until)));
      group.counted_until = std::max(group.counted_until, end);
    }
    for_each_self_stretch(trace_, calls_, [&](uint32_t op, int64_t start_ns, int64_t end_ns) {
      groups_[group_of_[op]].host_self += end_ns - start_ns;
    });
  }

  void add_device_times() {
    std::vector<DeviceTime> own(trace_.ops.size());
    collect_device_times(own);
    for (const uint32_t op : calls_) {
      if (own[op].kernels == 0) continue;
      Group& group = groups_[group_of_[op]];
      group.device_self += own[op].time_ns;
      group.launches += own[op].launches;
      group.kernels += own[op].kernels;
      for (uint32_t above = op; above != kNoRow;
           above = call_around(trace_.slices.parent[trace_.ops.slice[above].value])) {
        Group& outer = groups_[group_of_[above]];
        if (outer.visited_by == op) continue;
        outer.visited_by = op;
        outer.device_total += own[op].time_ns;
      }
    }
  }

  // Per call the device work it launched itself.
  void collect_device_times(std::vector<DeviceTime>& own) {
    std::vector<bool> launch_seen(trace_.launches.size(), false);
    for (uint32_t activity = 0; activity < trace_.activities.size(); ++activity) {
      if (!filter_.takes_activity(activity)) continue;
      const SliceId launch = trace_.activities.launch[activity];
      const uint32_t call = launch.exists() ? call_around(launch) : kNoRow;
      DeviceTime& time = call == kNoRow ? without_operator_ : own[call];
      time.time_ns += trace_.slices.dur_ns[trace_.activities.slice[activity].value];
      ++time.kernels;
      if (!launch.exists()) continue;
      const uint32_t row = trace_.slices.detail[launch.value];
      time.launches += !launch_seen[row];
      launch_seen[row] = true;
    }
  }

  // The innermost selected call at or above a slice.
  uint32_t call_around(SliceId slice) const {
    for (; slice.exists(); slice = trace_.slices.parent[slice.value]) {
      if (trace_.category(slice) != Category::kCpuOp) continue;
      const uint32_t op = trace_.slices.detail[slice.value];
      if (op != kNoRow && group_of_[op] != kNoRow) return op;
    }
    return kNoRow;
  }

  Table rows() const {
    SumNs host_sum, device_sum = without_operator_.time_ns;
    for (const Group& group : groups_) {
      host_sum += group.host_self;
      device_sum += group.device_self;
    }
    Table table;
    for (const ColumnDef& column : kOpsColumns) {
      if (by_shape_ || column.name != "input_shapes") table.columns.push_back(column);
    }
    for (const Group& group : groups_) {
      add_row(table, std::string(trace_.strings[group.name]), std::string(trace_.strings[group.input_dims]),
              {group.calls, group.host_total, group.host_self, share(group.host_self, host_sum),
               group.device_total, group.device_self, share(group.device_self, device_sum), group.launches,
               group.kernels});
    }
    if (without_operator_.kernels > 0) {
      const DeviceTime& rest = without_operator_;
      add_row(table, std::string(kNoOperator), {},
              {Cell(), Cell(), Cell(), Cell(), rest.time_ns, rest.time_ns, share(rest.time_ns, device_sum),
               rest.launches, rest.kernels});
    }
    sort_rows(table, device_sum > 0 ? "device_self" : "host_self");
    return table;
  }

  void add_row(Table& table, std::string name, std::string shapes, std::vector<Cell> numbers) const {
    std::vector<Cell> row = {std::move(name)};
    if (by_shape_) row.emplace_back(std::move(shapes));
    row.insert(row.end(), numbers.begin(), numbers.end());
    table.rows.push_back(std::move(row));
  }

  static Cell share(int64_t part, int64_t whole) {
    if (whole == 0) return Cell();
    return static_cast<double>(part) / static_cast<double>(whole);
  }

  const Trace& trace_;
  StepFilter filter_;
  bool by_shape_;
  std::vector<uint32_t> calls_;     // rows of Trace::ops, in order
  std::vector<uint32_t> group_of_;  // per row of Trace::ops; kNoRow when not selected
  std::unordered_map<uint64_t, uint32_t> index_;
  std::vector<Group> groups_;  // by first appearance
  DeviceTime without_operator_;
};

}  // namespace

Table ops_table(const Trace& trace, const TableOptions& options) { return OpsTable(trace, options).run(); }

}  // namespace skyline
