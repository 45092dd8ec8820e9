#include "analyze/time/kernels_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "analyze/core/device_class.h"
#include "analyze/core/named_cells.h"
#include "analyze/core/saturate.h"
#include "analyze/core/step_window.h"
#include "analyze/core/table_query.h"
#include "analyze/time/op_time.h"
#include "analyze/time/ops_table.h"
#include "trace/occupancy_limit.h"

namespace skyline::analyze {
namespace {

// The texts that describe an activity, as ids that are equal when the texts are.
enum Text : uint8_t { kName, kOp, kStream, kClass, kLimits, kTextCount };
using Ids = std::array<uint32_t, kTextCount>;

struct KernelGroup {
  SumNs total;
  int64_t calls = 0, min = INT64_MAX, max = 0, unlinked = 0;
  std::array<std::map<uint32_t, SumNs>, kTextCount> time_by_text;
};

class KernelsTable {
 public:
  KernelsTable(const AnalyzedTrace& analyzed, const TableOptions& options)
      : trace_(analyzed.trace()),
        filter_(trace_, options.step),
        key_(static_cast<Text>(
            std::find(std::begin(kKernelsGroups), std::end(kKernelsGroups), options.group_by) -
            std::begin(kKernelsGroups))),
        operator_around_(analyzed.get<operators_around>()),
        class_of_(trace_) {
    if (key_ >= std::size(kKernelsGroups)) key_ = kName;
  }

  Table run() {
    for (uint32_t activity = 0; activity < trace_.activities.size(); ++activity) {
      if (filter_.takes_activity(activity)) add(activity);
    }
    return rows();
  }

 private:
  void add(uint32_t activity) {
    const SliceId slice = trace_.activities.slice[activity];
    const int64_t dur = trace_.slices.dur_ns[slice.value];
    const Ids ids = {trace_.slices.name[slice.value].value, operator_name(activity).value,
                     trace_.slices.track[slice.value].value, static_cast<uint32_t>(class_of_(activity)),
                     limits_of(activity)};
    KernelGroup& group = group_for(ids[key_]);
    ++group.calls;
    group.total += dur;
    group.min = std::min(group.min, dur);
    group.max = std::max(group.max, dur);
    group.unlinked += !trace_.activities.launch[activity].exists();
    for (size_t text = 0; text < kTextCount; ++text) group.time_by_text[text][ids[text]] += dur;
    if (ids[kStream] >= an_activity_on_.size()) an_activity_on_.resize(ids[kStream] + 1, kNoRow);
    an_activity_on_[ids[kStream]] = activity;
  }

  // The name of the innermost operator around the launch, if there is one.
  StringId operator_name(uint32_t activity) const {
    const SliceId launch = trace_.activities.launch[activity];
    const uint32_t op = launch.exists() ? operator_around_[launch.value] : kNoRow;
    return op == kNoRow ? StringId() : trace_.slices.name[trace_.ops.slice[op].value];
  }

  // A sum of OccupancyLimit; 0: it is not known.
  uint32_t limits_of(uint32_t activity) const {
    const KernelShapeId shape = trace_.activities.shape_of(activity);
    const int32_t limits = shape.exists() ? trace_.kernel_shapes.limited_by_of(shape.value) : -1;
    return limits < 0 ? 0 : static_cast<uint32_t>(limits);
  }

  KernelGroup& group_for(uint32_t key) {
    const auto [entry, is_new] = index_.try_emplace(key, groups_.size());
    if (is_new) groups_.emplace_back();
    return groups_[entry->second];
  }

  Table rows() const {
    SumNs sum;
    for (const KernelGroup& group : groups_) sum += group.total;
    const auto text = [this](Text which) {
      return [this, which](const KernelGroup& group) { return text_of(group, which); };
    };
    std::vector<NamedCells<KernelGroup>::Named> named = {
        {"name", text(kName)},
        {"class", text(kClass)},
        {"calls", [](const KernelGroup& group) { return group.calls; }},
        {"total", [](const KernelGroup& group) { return int64_t{group.total}; }},
        {"share", [&](const KernelGroup& group) { return share_cell(group.total, sum); }},
        {"mean", mean_of},
        {"min", [](const KernelGroup& group) { return group.min; }},
        {"max", [](const KernelGroup& group) { return group.max; }},
        {"op", text(kOp)},
        {"stream", text(kStream)},
        {"unlinked", [](const KernelGroup& group) { return group.unlinked; }},
    };
    if (!trace_.kernel_shapes.limited_by.empty()) named.push_back({"limited_by", text(kLimits)});
    const NamedCells<KernelGroup> cells(kKernelsColumns, std::move(named), CellsOf::kSomeColumns);
    Table table;
    table.columns = cells.columns();
    for (const KernelGroup& group : groups_) table.rows.push_back(cells.row(group));
    // The other texts are those with the most time.
    for (ColumnDef& column : table.columns) {
      if (column.kind == ColumnKind::kKey && column.name != kKernelsGroups[key_])
        column.kind = ColumnKind::kDerived;
    }
    move_to_front(table, kKernelsGroups[key_]);
    sort_rows(table, "total");
    return table;
  }

  static int64_t mean_of(const KernelGroup& group) {
    SumNs rounded = group.total;
    rounded += group.calls / 2;
    return rounded.over(group.calls);
  }

  // The text with the largest share of the group's time, the first in order of text on a tie.
  std::string text_of(const KernelGroup& group, Text text) const {
    std::string best;
    int64_t most = -1;
    for (const auto& [id, time] : group.time_by_text[text]) {
      if (time < most) continue;
      std::string candidate = text_for(text, id);
      if (time > most || candidate < best) best = std::move(candidate);
      most = time;
    }
    return best;
  }

  std::string text_for(Text text, uint32_t id) const {
    switch (text) {
      case kOp:
        return StringId(id).exists() ? std::string(trace_.strings[StringId(id)]) : std::string(kNoOperator);
      case kStream:
        return stream_name(id);
      case kClass:
        return std::string(name_of(static_cast<DeviceClass>(id)));
      case kLimits:
        return limits_text(id);
      default:
        return std::string(trace_.strings[StringId(id)]);
    }
  }

  static std::string limits_text(uint32_t limits) {
    std::string names;
    for (const OccupancyLimitDef& each : kOccupancyLimits) {
      if ((limits & static_cast<uint32_t>(each.limit)) == 0) continue;
      names += (names.empty() ? "" : ", ") + std::string(each.name);
    }
    return names;
  }

  std::string stream_name(uint32_t track) const {
    const uint32_t activity = an_activity_on_[track];
    const int64_t device = trace_.activities.device[activity], stream = trace_.activities.stream[activity];
    if (device >= 0 && stream >= 0) return fmt::format("device {} stream {}", device, stream);
    return fmt::format("{} {}", trace_.strings[trace_.tracks[track].process],
                       trace_.strings[trace_.tracks[track].thread]);
  }

  const Trace& trace_;
  StepFilter filter_;
  Text key_;
  const std::vector<uint32_t>& operator_around_;  // per slice: row of Trace::ops
  DeviceClassifier class_of_;
  std::map<uint32_t, size_t> index_;
  std::vector<KernelGroup> groups_;       // by first appearance
  std::vector<uint32_t> an_activity_on_;  // per track: knows device and stream
};

}  // namespace

Table kernels_table(const AnalyzedTrace& analyzed, const TableOptions& options) {
  return KernelsTable(analyzed, options).run();
}

}  // namespace skyline::analyze
