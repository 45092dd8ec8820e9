#include "analyze/places/syncs_table.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "analyze/core/named_cells.h"
#include "analyze/core/per_name.h"
#include "analyze/core/saturate.h"
#include "analyze/core/step_window.h"
#include "analyze/core/table_query.h"
#include "analyze/places/op_stacks.h"
#include "analyze/places/user_files.h"
#include "analyze/time/op_time.h"
#include "analyze/time/ops_table.h"

namespace skyline::analyze {
namespace {

constexpr std::string_view kNotKnown = "(not known)";

// As in kSyncsGroups.
enum SyncText : uint8_t { kSyncKind, kSyncOp, kSyncLine, kSyncTexts };

struct SyncGroup {
  SumNs total;
  int64_t calls = 0, max = 0;
  std::array<std::map<std::string, SumNs>, kSyncTexts> time_by_text;
};

// cudaStreamSynchronize, hipEventSynchronize, cuCtxSynchronize, …
bool is_synchronizing_call(std::string_view name) { return name.find("Synchronize") != name.npos; }

class SyncsTable {
 public:
  SyncsTable(const AnalyzedTrace& analyzed, const TableOptions& options)
      : trace_(analyzed.trace()),
        filter_(trace_, options.step),
        operator_around_(analyzed.get<operators_around>()),
        stacks_(analyzed.get<OpStacks>()) {
    const auto* group = std::find(std::begin(kSyncsGroups), std::end(kSyncsGroups), options.group_by);
    if (group != std::end(kSyncsGroups)) key_ = static_cast<SyncText>(group - std::begin(kSyncsGroups));
  }

  Table run() {
    find_calls();
    for (uint32_t sync = 0; sync < trace_.syncs.size(); ++sync) {
      const SliceId slice = trace_.syncs.slice[sync];
      if (trace_.slices.category[slice.value] != Category::kSync) continue;
      add(slice, trace_.syncs.kind[sync], take_call(trace_.syncs.correlation[sync]));
    }
    for (const SliceId call : synchronizing_calls_) {
      if (told_.contains(call.value)) continue;
      add(call, trace_.slices.name[call.value], call);
    }
    return rows();
  }

 private:
  // The calls that syncs refer to, and those that wait whoever refers to them.
  void find_calls() {
    for (const uint64_t correlation : trace_.syncs.correlation) {
      if (correlation != kNoCorrelation) call_of_.emplace(correlation, SliceId());
    }
    PerName<bool> waits(trace_.strings, is_synchronizing_call);
    for (uint32_t launch = 0; launch < trace_.launches.size(); ++launch) {
      const SliceId slice = trace_.launches.slice[launch];
      if (waits(trace_.slices.name[slice.value])) synchronizing_calls_.push_back(slice);
      const auto wanted = call_of_.find(trace_.launches.correlation[launch]);
      if (wanted != call_of_.end() && !wanted->second.exists()) wanted->second = slice;
    }
  }

  SliceId take_call(uint64_t correlation) {
    const auto call = call_of_.find(correlation);
    if (call == call_of_.end() || !call->second.exists()) return SliceId();
    told_.insert(call->second.value);
    return call->second;
  }

  void add(SliceId wait, StringId kind, SliceId call) {
    const bool is_of_step =
        call.exists() ? filter_.takes_host(call) : filter_.takes_moment(trace_.slices.start_ns[wait.value]);
    if (!is_of_step) return;
    const int64_t dur = trace_.slices.dur_ns[wait.value];
    const uint32_t op = call.exists() ? operator_around_[call.value] : kNoRow;
    const std::array<std::string, kSyncTexts> texts = {
        std::string(kind.exists() ? trace_.strings[kind] : trace_.slice_name(wait)),
        std::string(op == kNoRow ? kNoOperator : trace_.slice_name(trace_.ops.slice[op])), line_of(op)};
    SyncGroup& group = groups_[texts[key_]];
    ++group.calls;
    group.total += dur;
    group.max = std::max(group.max, dur);
    for (size_t text = 0; text < kSyncTexts; ++text) group.time_by_text[text][texts[text]] += dur;
  }

  // The innermost frame that is the user's; of frames that all are a package's the innermost.
  std::string line_of(uint32_t op) const {
    const uint32_t stack = op == kNoRow ? kNoRow : stacks_.number(op);
    if (stack == kNoRow) return std::string(kNotKnown);
    const std::string frames = stacks_.text(stack);
    const auto innermost = [](std::string_view of) { return of.substr(of.rfind(';') + 1); };
    for (std::string_view left = frames;;) {
      const std::string_view frame = innermost(left);
      if (!looks_foreign(frame.substr(0, frame.find('(')))) return file_and_line(frame);
      if (frame.size() == left.size()) break;
      left.remove_suffix(frame.size() + 1);
    }
    return file_and_line(innermost(frames));
  }

  // "train.py:12" of "train.py(12): main"; brackets would be taken for those of a C++ signature.
  static std::string file_and_line(std::string_view frame) {
    const size_t close = frame.find("): ");
    const size_t open = close == frame.npos ? frame.npos : frame.rfind('(', close);
    if (open == frame.npos) return std::string(frame);
    return std::string(frame.substr(0, open)) + ":" + std::string(frame.substr(open + 1, close - open - 1));
  }

  Table rows() const {
    SumNs sum;
    for (const auto& [name, group] : groups_) sum += group.total;
    const auto text = [](SyncText which) {
      return [which](const SyncGroup& group) { return text_of(group, which); };
    };
    const NamedCells<SyncGroup> cells(
        kSyncsColumns, {
                           {"kind", text(kSyncKind)},
                           {"calls", [](const SyncGroup& group) { return group.calls; }},
                           {"total", [](const SyncGroup& group) { return int64_t{group.total}; }},
                           {"share", [&](const SyncGroup& group) { return share_cell(group.total, sum); }},
                           {"mean", mean_of},
                           {"max", [](const SyncGroup& group) { return group.max; }},
                           {"op", text(kSyncOp)},
                           {"line", text(kSyncLine)},
                       });
    Table table;
    table.columns = cells.columns();
    for (const auto& [name, group] : groups_) table.rows.push_back(cells.row(group));
    // The other texts are those with the most time.
    for (ColumnDef& column : table.columns) {
      if (column.kind == ColumnKind::kKey && column.name != kSyncsGroups[key_])
        column.kind = ColumnKind::kDerived;
    }
    move_to_front(table, kSyncsGroups[key_]);
    sort_rows(table, "total");
    return table;
  }

  static int64_t mean_of(const SyncGroup& group) {
    SumNs rounded = group.total;
    rounded += group.calls / 2;
    return rounded.over(group.calls);
  }

  // The text with the largest share of the group's time, the first in order of text on a tie.
  static std::string text_of(const SyncGroup& group, SyncText which) {
    const auto& times = group.time_by_text[which];
    return std::max_element(times.begin(), times.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
        ->first;
  }

  const Trace& trace_;
  StepFilter filter_;
  SyncText key_ = kSyncKind;
  const std::vector<uint32_t>& operator_around_;  // per slice: row of Trace::ops
  const OpStacks& stacks_;
  std::unordered_map<uint64_t, SliceId> call_of_;  // by correlation
  std::vector<SliceId> synchronizing_calls_;
  std::unordered_set<uint32_t> told_;        // calls that a sync tells of
  std::map<std::string, SyncGroup> groups_;  // by text of the key
};

}  // namespace

Table syncs_table(const AnalyzedTrace& analyzed, const TableOptions& options) {
  return SyncsTable(analyzed, options).run();
}

}  // namespace skyline::analyze
