// One iteration's time by module and by line: analyze/places/breakdown.h as tables.
#pragma once

#include <algorithm>
#include <array>

#include "analyze/core/analysis.h"

namespace skyline::analyze {

// Both tables' columns behind those that name the place.
inline constexpr std::array kBreakdownColumns = std::to_array<ColumnDef>({
    {"operator", "Operator", Unit::kText, ColumnKind::kKey, "The operator's name; only when grouped by op."},
    {"phase", "Phase", Unit::kText, ColumnKind::kKey,
     "What the iteration was doing; only when grouped by op."},
    {"device_total", "Device total", Unit::kNanoseconds, ColumnKind::kAdditive,
     "Sum of the durations of device activities that the operators of this place and of all below launched "
     "in the iteration; work without an operator is the iteration's own."},
    {"host_total", "Total", Unit::kNanoseconds, ColumnKind::kAdditive,
     "Its part of the wall time of the thread that trains: its own and that of all below, exactly."},
    {"share", "Share", Unit::kShare, ColumnKind::kDerived, "host_total as a share of the iteration."},
    {"calls", "Calls", Unit::kCount, ColumnKind::kAdditive,
     "Operators called, those below included; one inside another of the same place and phase is part of it."},
    {"host_own", "Own", Unit::kNanoseconds, ColumnKind::kAdditive, "host_total without what is below."},
    {"forward", "Forward", Unit::kNanoseconds, ColumnKind::kAdditive,
     "host_total in operators that are in no other phase."},
    {"backward", "Backward", Unit::kNanoseconds, ColumnKind::kAdditive,
     "host_total in operators of the backward pass, which belong where their forward operators do, and in "
     "autograd's time between them."},
    {"recompute", "Recompute", Unit::kNanoseconds, ColumnKind::kAdditive,
     "host_total in forward operators that checkpointing runs again in the backward pass."},
    {"optimizer", "Optimizer", Unit::kNanoseconds, ColumnKind::kAdditive,
     "host_total inside Optimizer.step."},
    {"zero_grad", "Zero grad", Unit::kNanoseconds, ColumnKind::kAdditive,
     "host_total inside Optimizer.zero_grad."},
    {"data", "Data", Unit::kNanoseconds, ColumnKind::kAdditive,
     "host_total in which the DataLoader's next batch is fetched."},
    {"collectives", "Collectives", Unit::kNanoseconds, ColumnKind::kAdditive,
     "host_total in collectives that the host carries out, waits for or starts."},
    {"python", "Python", Unit::kNanoseconds, ColumnKind::kAdditive,
     "host_total between operators: of the lines that samples name, or of what the operators before and "
     "after "
     "share."},
    {"untracked", "Untracked", Unit::kNanoseconds, ColumnKind::kAdditive,
     "host_total of which nothing is known: between operators of a recording that lost events."},
    {"device_own", "Device own", Unit::kNanoseconds, ColumnKind::kAdditive,
     "device_total without what is below."},
    {"input_shapes", "Input shapes", Unit::kText, ColumnKind::kKey,
     "Sizes of its inputs, as recorded with record_shapes; only when grouped by op."},
    {"stack", "Stack", Unit::kNumber, ColumnKind::kDerived,
     "The number of its Python stack in the table stacks; only when grouped by op."},
    {"depth", "Depth", Unit::kNumber, ColumnKind::kDerived, "How many are around it; 0 is the iteration."},
    {"node", "Node", Unit::kNumber, ColumnKind::kDerived, "Its number in this table."},
    {"parent", "Parent", Unit::kNumber, ColumnKind::kDerived,
     "The number of the one around it; none for the iteration."},
});

template <size_t N, size_t M>
constexpr std::array<ColumnDef, N + M> join(const std::array<ColumnDef, N>& a,
                                            const std::array<ColumnDef, M>& b) {
  std::array<ColumnDef, N + M> all{};
  std::copy(a.begin(), a.end(), all.begin());
  std::copy(b.begin(), b.end(), all.begin() + N);
  return all;
}

inline constexpr std::array kModulesColumns =
    join(std::to_array<ColumnDef>({
             {"module", "Module", Unit::kText, ColumnKind::kKey,
              "The module's qualified name; (Class) of a model itself; (iteration) is the whole."},
             {"class", "Class", Unit::kText, ColumnKind::kKey, "Its class."},
         }),
         kBreakdownColumns);
inline constexpr std::string_view kModulesGroups[] = {"module", "op"};

inline constexpr std::array kLinesColumns = join(
    join(std::to_array<ColumnDef>({
             {"place", "Line", Unit::kText, ColumnKind::kKey,
              "File and line of the project, under the line that called it; (iteration) is the whole."},
             {"function", "Function", Unit::kText, ColumnKind::kKey, "The function around."},
         }),
         kBreakdownColumns),
    std::to_array<ColumnDef>({
        {"python_near", "Python near", Unit::kNanoseconds, ColumnKind::kAdditive,
         "Part of host_total: Python between operators next to this line, and no sample says in which line; "
         "not in host_own."},
        {"elsewhere", "Elsewhere", Unit::kNanoseconds, ColumnKind::kAdditive,
         "What DataLoader workers and other threads spend there and below in an iteration of this length, "
         "from "
         "samples of the whole recording; not in host_total."},
        {"file", "File", Unit::kText, ColumnKind::kKey, "The file's whole path."},
        {"line", "Number", Unit::kNumber, ColumnKind::kKey, "The line's number."},
    }));
inline constexpr std::string_view kLinesGroups[] = {"call", "line", "op"};

Table modules_table(const AnalyzedTrace& analyzed, const TableOptions& options);
Table lines_table(const AnalyzedTrace& analyzed, const TableOptions& options);

}  // namespace skyline::analyze
