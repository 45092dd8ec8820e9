// Operators, grouped.
//
// Host time: every group's calls come thread by thread in order of start, so the union of a group's
// time on a thread is what each call adds beyond the latest end so far. Self time: op_time.h.
// Device time: an activity's duration goes to the operator around its launch, and in the totals to every
// group that has a call around it. Memory likewise, by op_memory.h. All of it is linear, however deep calls
// are nested.
#include "analyze/time/ops_table.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "analyze/core/host_ranges.h"
#include "analyze/core/named_cells.h"
#include "analyze/core/op_memory.h"
#include "analyze/core/saturate.h"
#include "analyze/core/step_window.h"
#include "analyze/core/table_query.h"
#include "analyze/time/flops.h"
#include "analyze/time/op_time.h"
#include "base/hash.h"
#include "trace/marks.h"

namespace skyline::analyze {
namespace {

struct OpGroup {
  StringId name;
  StringId input_dims, input_types;
  int64_t calls = 0;
  SumNs host_total;
  SumNs host_self;
  SumNs device_total;
  SumNs device_self;
  int64_t launches = 0;
  int64_t kernels = 0;
  SumNs host_memory_total, host_memory_self;
  SumNs device_memory_total, device_memory_self;
  int64_t memory_events = 0;
  SumNs flops;
  bool has_flops = false;
  bool is_range = false;
  bool is_step = false;
  bool is_rest = false;  // not of an operator: what happened outside of all

  // How far its time is counted on the thread that is being read.
  TrackId track;
  int64_t counted_until = 0;
  // Where the block of its outermost call ends; see add_totals().
  uint32_t block_end = 0;
};

// What a call did itself.
struct Own {
  SumNs device_ns;
  int64_t launches = 0;
  int64_t kernels = 0;
  SumNs host_bytes;
  SumNs device_bytes;
  int64_t memory_events = 0;
};

constexpr std::string_view kStepPrefix = kProfilerStep, kAllSteps = "ProfilerStep*";

class OpsTable {
 public:
  OpsTable(const AnalyzedTrace& analyzed, const TableOptions& options)
      : trace_(analyzed.trace()),
        filter_(trace_, options.step),
        by_signature_(options.group_by == "signature"),
        by_shape_(by_signature_ || options.group_by == "shape"),
        with_ranges_(options.ranges),
        calls_(analyzed, filter_, options.ranges) {}

  Table run() {
    group_calls();
    add_host_times();
    add_device_times_and_memory();
    return rows();
  }

 private:
  void group_calls() {
    group_of_.assign(trace_.ops.size(), kNoRow);
    for (const uint32_t op : calls_.ops()) group_of_[op] = group_for(op);
  }

  uint32_t group_for(uint32_t op) {
    const SliceId slice = trace_.ops.slice[op];
    OpGroup group;
    group.name = trace_.slices.name[slice.value];
    group.is_range = !is_operator_(slice);
    group.is_step = group.is_range && trace_.slice_name(slice).starts_with(kStepPrefix);
    if (by_shape_ && !group.is_range) group.input_dims = trace_.input_dims(op);
    if (by_signature_ && !group.is_range) group.input_types = trace_.input_types(op);
    const auto [entry, is_new] = index_.try_emplace(key_of(group), static_cast<uint32_t>(groups_.size()));
    if (is_new) groups_.push_back(group);
    return entry->second;
  }

  struct Key {
    uint32_t name, dims, types;
    bool operator==(const Key&) const = default;
  };
  struct HashOfKey {
    size_t operator()(const Key& key) const {
      return mix_u64(uint64_t{key.name} << 32 | key.dims, 0x9e3779b97f4a7c15 ^ key.types);
    }
  };

  // Ranges have no shapes, so their place tells them from operators of the same name.
  static Key key_of(const OpGroup& group) {
    constexpr uint32_t kRange = UINT32_MAX - 1, kStep = UINT32_MAX - 2;
    if (group.is_step) return {0, kStep, 0};
    return {group.name.value, group.is_range ? kRange : group.input_dims.value, group.input_types.value};
  }

  void add_host_times() {
    for (const uint32_t op : calls_.ops()) {
      const SliceId slice = trace_.ops.slice[op];
      const int64_t start = trace_.slices.start_ns[slice.value], end = trace_.slices.end_ns(slice);
      OpGroup& group = groups_[group_of_[op]];
      if (group.track != trace_.slices.track[slice.value]) {
        group.track = trace_.slices.track[slice.value];
        group.counted_until = start;
      }
      ++group.calls;
      if (const std::optional<int64_t> flops = flops_of(trace_, op)) {
        group.flops += *flops;
        group.has_flops = true;
      }
      group.host_total += std::max<int64_t>(0, minus(end, std::max(start, group.counted_until)));
      group.counted_until = std::max(group.counted_until, end);
    }
    for_each_self_stretch(trace_, calls_.ops(), [&](uint32_t op, int64_t start_ns, int64_t end_ns) {
      groups_[group_of_[op]].host_self += end_ns - start_ns;
    });
  }

  void add_device_times_and_memory() {
    std::vector<Own> own(trace_.ops.size());
    find_device_times(calls_.around(), own);
    find_memory(own);
    for (const uint32_t op : calls_.ops()) {
      OpGroup& group = groups_[group_of_[op]];
      group.device_self += own[op].device_ns;
      group.launches += own[op].launches;
      group.kernels += own[op].kernels;
      group.host_memory_self += own[op].host_bytes;
      group.device_memory_self += own[op].device_bytes;
      group.memory_events += own[op].memory_events;
    }
    add_totals(calls_.around(), own);
  }

  // Per call the device work it launched itself.
  void find_device_times(std::span<const uint32_t> call_around, std::vector<Own>& own) {
    std::vector<bool> launch_seen(trace_.launches.size(), false);
    for (uint32_t activity = 0; activity < trace_.activities.size(); ++activity) {
      if (!filter_.takes_activity(activity)) continue;
      const SliceId launch = trace_.activities.launch[activity];
      const uint32_t call = launch.exists() ? call_around[launch.value] : kNoRow;
      Own& time = call == kNoRow ? without_operator_ : own[call];
      time.device_ns += trace_.slices.dur_ns[trace_.activities.slice[activity].value];
      ++time.kernels;
      if (!launch.exists()) continue;
      const uint32_t row = trace_.slices.detail[launch.value];
      time.launches += !launch_seen[row];
      launch_seen[row] = true;
    }
  }

  // Per call the memory it took and gave back itself.
  void find_memory(std::vector<Own>& own) {
    const std::span<const uint32_t> around = calls_.around_memory();
    for (uint32_t row = 0; row < around.size(); ++row) {
      if (around[row] == kNoRow && !filter_.takes_moment(trace_.memory.time_ns[row])) continue;
      Own& one = around[row] == kNoRow ? without_operator_ : own[around[row]];
      SumNs& bytes = is_host_memory(trace_.memory.device_type[row]) ? one.host_bytes : one.device_bytes;
      bytes += trace_.memory.bytes[row];
      ++one.memory_events;
    }
  }

  // Adds what each call and the calls inside it did to the call's group, unless a call of the
  // same group encloses it. For that the calls are walked as a tree, down before on: then the calls
  // inside a call stand in one block behind it, whatever the depth.
  void add_totals(std::span<const uint32_t> call_around, const std::vector<Own>& own) {
    struct Node {
      uint32_t parent = kNoRow;
      uint32_t size = 1;       // of its block
      uint32_t place = 0;      // in the walk
      uint32_t next_free = 0;  // in its block
      SumNs device_ns, host_bytes, device_bytes;
    };
    std::vector<Node> nodes(trace_.ops.size());
    for (const uint32_t op : calls_.ops()) {
      const SliceId outer = trace_.slices.parent[trace_.ops.slice[op].value];
      nodes[op].parent = outer.exists() ? call_around[outer.value] : kNoRow;
      nodes[op].device_ns = own[op].device_ns;
      nodes[op].host_bytes = own[op].host_bytes;
      nodes[op].device_bytes = own[op].device_bytes;
    }
    // Parents stand before their children.
    for (auto op = calls_.ops().rbegin(); op != calls_.ops().rend(); ++op) {
      if (nodes[*op].parent == kNoRow) continue;
      Node& parent = nodes[nodes[*op].parent];
      parent.size += nodes[*op].size;
      parent.device_ns += nodes[*op].device_ns;
      parent.host_bytes += nodes[*op].host_bytes;
      parent.device_bytes += nodes[*op].device_bytes;
    }
    std::vector<uint32_t> walk(calls_.ops().size());
    uint32_t next_root = 0;
    for (const uint32_t op : calls_.ops()) {
      Node& node = nodes[op];
      uint32_t& next = node.parent == kNoRow ? next_root : nodes[node.parent].next_free;
      node.place = std::exchange(next, next + node.size);
      node.next_free = node.place + 1;
      walk[node.place] = op;
    }
    for (const uint32_t op : walk) {
      OpGroup& group = groups_[group_of_[op]];
      if (nodes[op].place < group.block_end) continue;
      group.block_end = nodes[op].place + nodes[op].size;
      group.device_total += nodes[op].device_ns;
      group.host_memory_total += nodes[op].host_bytes;
      group.device_memory_total += nodes[op].device_bytes;
    }
  }

  Table rows() const {
    SumNs host_sum, device_sum = without_operator_.device_ns;
    for (const OpGroup& group : groups_) {
      host_sum += group.host_self;
      device_sum += group.device_self;
    }
    const NamedCells<OpGroup> cells = cells_of(host_sum, device_sum);
    Table table;
    table.columns = cells.columns();
    for (const OpGroup& group : groups_) table.rows.push_back(cells.row(group));
    const bool has_rest = without_operator_.kernels > 0 || without_operator_.memory_events > 0;
    if (has_rest) table.rows.push_back(cells.row(group_of_rest()));
    sort_rows(table, device_sum > 0 ? "device_self" : "host_self");
    return table;
  }

  // What no operator has done; nothing was called there.
  OpGroup group_of_rest() const {
    const Own& rest = without_operator_;
    OpGroup group;
    group.is_rest = true;
    group.device_total = group.device_self = rest.device_ns;
    group.launches = rest.launches;
    group.kernels = rest.kernels;
    group.host_memory_total = group.host_memory_self = rest.host_bytes;
    group.device_memory_total = group.device_memory_self = rest.device_bytes;
    group.memory_events = rest.memory_events;
    return group;
  }

  NamedCells<OpGroup> cells_of(int64_t host_sum, int64_t device_sum) const {
    const auto number = [](SumNs OpGroup::*member) {
      return [member](const OpGroup& group) { return int64_t{group.*member}; };
    };
    const auto count = [](int64_t OpGroup::*member) {
      return [member](const OpGroup& group) { return group.*member; };
    };
    const auto of_calls = [](auto cell) {
      return [cell](const OpGroup& group) { return group.is_rest ? Cell() : Cell(cell(group)); };
    };
    NamedCells<OpGroup> cells(
        kOpsColumns,
        {
            {"name", [this](const OpGroup& group) { return std::string(shown_name(group)); }},
            {"kind",
             [](const OpGroup& group) {
               return std::string(group.is_rest ? "" : group.is_range ? "range" : "operator");
             }},
            {"input_shapes",
             [this](const OpGroup& group) { return std::string(trace_.strings[group.input_dims]); }},
            {"input_types",
             [this](const OpGroup& group) { return std::string(trace_.strings[group.input_types]); }},
            {"calls", of_calls(count(&OpGroup::calls))},
            {"host_total", of_calls(number(&OpGroup::host_total))},
            {"host_self", of_calls(number(&OpGroup::host_self))},
            {"host_self_share",
             of_calls([=](const OpGroup& group) { return share_cell(group.host_self, host_sum); })},
            {"device_total", number(&OpGroup::device_total)},
            {"device_self", number(&OpGroup::device_self)},
            {"device_self_share",
             [=](const OpGroup& group) { return share_cell(group.device_self, device_sum); }},
            {"launches", count(&OpGroup::launches)},
            {"kernels", count(&OpGroup::kernels)},
            {"flops",
             [](const OpGroup& group) { return group.has_flops ? Cell(int64_t{group.flops}) : Cell(); }},
            {"host_memory_total", number(&OpGroup::host_memory_total)},
            {"host_memory_self", number(&OpGroup::host_memory_self)},
            {"device_memory_total", number(&OpGroup::device_memory_total)},
            {"device_memory_self", number(&OpGroup::device_memory_self)},
            {"memory_events", count(&OpGroup::memory_events)},
        });
    const bool has_flops =
        std::any_of(groups_.begin(), groups_.end(), [](const OpGroup& group) { return group.has_flops; });
    cells.show_only([&](std::string_view column) { return column == "flops" ? has_flops : shows(column); });
    return cells;
  }

  std::string_view shown_name(const OpGroup& group) const {
    if (group.is_rest) return kNoOperator;
    return group.is_step ? kAllSteps : trace_.strings[group.name];
  }

  bool has_memory() const { return trace_.memory.size() > 0; }

  bool shows(std::string_view column) const {
    if (column == "kind") return with_ranges_;
    if (column == "input_shapes") return by_shape_;
    if (column == "input_types") return by_signature_;
    return has_memory() || column.find("memory") == std::string_view::npos;
  }

  const Trace& trace_;
  StepFilter filter_;
  bool by_signature_, by_shape_;
  bool with_ranges_;
  SelectedCalls calls_;
  OperatorTest is_operator_{trace_};
  std::vector<uint32_t> group_of_;  // per row of Trace::ops; kNoRow when not selected
  std::unordered_map<Key, uint32_t, HashOfKey> index_;
  std::vector<OpGroup> groups_;  // by first appearance
  Own without_operator_;
};

}  // namespace

Table ops_table(const AnalyzedTrace& analyzed, const TableOptions& options) {
  return OpsTable(analyzed, options).run();
}

}  // namespace skyline::analyze
