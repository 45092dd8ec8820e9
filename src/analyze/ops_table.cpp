// Operators, grouped.
//
// Host time: every group's calls come thread by thread in order of start, so the union of a group's
// time on a thread is what each call adds beyond the latest end so far. Self time: op_time.h.
// Device time: an activity's duration goes to the operator around its launch, and in the totals to every
// group that has a call around it. All of it is linear, however deep calls are nested.
#include "analyze/ops_table.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

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
  // Where the block of its outermost call ends; see add_device_totals().
  uint32_t block_end = 0;
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
    const std::vector<uint32_t> call_around = innermost_ops(trace_, calls_);
    const std::vector<DeviceTime> own = device_times(call_around);
    for (const uint32_t op : calls_) {
      Group& group = groups_[group_of_[op]];
      group.device_self += own[op].time_ns;
      group.launches += own[op].launches;
      group.kernels += own[op].kernels;
    }
    add_device_totals(call_around, own);
  }

  // Per call the device work it launched itself.
  std::vector<DeviceTime> device_times(const std::vector<uint32_t>& call_around) {
    std::vector<DeviceTime> own(trace_.ops.size());
    std::vector<bool> launch_seen(trace_.launches.size(), false);
    for (uint32_t activity = 0; activity < trace_.activities.size(); ++activity) {
      if (!filter_.takes_activity(activity)) continue;
      const SliceId launch = trace_.activities.launch[activity];
      const uint32_t call = launch.exists() ? call_around[launch.value] : kNoRow;
      DeviceTime& time = call == kNoRow ? without_operator_ : own[call];
      time.time_ns += trace_.slices.dur_ns[trace_.activities.slice[activity].value];
      ++time.kernels;
      if (!launch.exists()) continue;
      const uint32_t row = trace_.slices.detail[launch.value];
      time.launches += !launch_seen[row];
      launch_seen[row] = true;
    }
    return own;
  }

  // Adds what each call and the calls inside it launched to the call's group, unless a call of the
  // same group encloses it. For that the calls are walked as a tree, down before on: then the calls
  // inside a call stand in one block behind it, whatever the depth.
  void add_device_totals(const std::vector<uint32_t>& call_around, const std::vector<DeviceTime>& own) {
    struct Node {
      uint32_t parent = kNoRow;
      uint32_t size = 1;       // of its block
      uint32_t place = 0;      // in the walk
      uint32_t next_free = 0;  // in its block
      SumNs time_ns;
    };
    std::vector<Node> nodes(trace_.ops.size());
    for (const uint32_t op : calls_) {
      const SliceId outer = trace_.slices.parent[trace_.ops.slice[op].value];
      nodes[op].parent = outer.exists() ? call_around[outer.value] : kNoRow;
      nodes[op].time_ns = own[op].time_ns;
    }
    // Parents stand before their children.
    for (auto op = calls_.rbegin(); op != calls_.rend(); ++op) {
      if (nodes[*op].parent == kNoRow) continue;
      Node& parent = nodes[nodes[*op].parent];
      parent.size += nodes[*op].size;
      parent.time_ns += nodes[*op].time_ns;
    }
    std::vector<uint32_t> walk(calls_.size());
    uint32_t next_root = 0;
    for (const uint32_t op : calls_) {
      Node& node = nodes[op];
      uint32_t& next = node.parent == kNoRow ? next_root : nodes[node.parent].next_free;
      node.place = std::exchange(next, next + node.size);
      node.next_free = node.place + 1;
      walk[node.place] = op;
    }
    for (const uint32_t op : walk) {
      Group& group = groups_[group_of_[op]];
      if (nodes[op].place < group.block_end) continue;
      group.block_end = nodes[op].place + nodes[op].size;
      group.device_total += nodes[op].time_ns;
    }
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
              {group.calls, group.host_total, group.host_self, share_cell(group.host_self, host_sum),
               group.device_total, group.device_self, share_cell(group.device_self, device_sum),
               group.launches, group.kernels});
    }
    if (without_operator_.kernels > 0) {
      const DeviceTime& rest = without_operator_;
      add_row(table, std::string(kNoOperator), {},
              {Cell(), Cell(), Cell(), Cell(), rest.time_ns, rest.time_ns,
               share_cell(rest.time_ns, device_sum), rest.launches, rest.kernels});
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
