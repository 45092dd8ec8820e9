// Which kernels take the device's time, and who launches them.
#pragma once

#include "analyze/core/analysis.h"

namespace skyline::analyze {

// The column that a table is grouped by comes first and is its key; of the other texts a row shows the one
// that takes the most time in it.
inline constexpr ColumnDef kKernelsColumns[] = {
    {"name", "Kernel", Unit::kText, ColumnKind::kKey,
     "The kernel, copy or set; of several in a row the one with the largest total."},
    {"class", "Class", Unit::kText, ColumnKind::kKey,
     "compute, communication, copy or set; of several in a row the one with the largest total."},
    {"calls", "Calls", Unit::kCount, ColumnKind::kAdditive, "How often it ran, on all streams."},
    {"total", "Total", Unit::kNanoseconds, ColumnKind::kAdditive,
     "Sum of the durations; adds up over all rows to those of all activities."},
    {"share", "Share", Unit::kShare, ColumnKind::kDerived, "total as a share of the sum over all rows."},
    {"mean", "Mean", Unit::kNanoseconds, ColumnKind::kDerived,
     "Mean duration, rounded to the nearest nanosecond."},
    {"min", "Min", Unit::kNanoseconds, ColumnKind::kDerived, "Shortest duration."},
    {"max", "Max", Unit::kNanoseconds, ColumnKind::kDerived, "Longest duration."},
    {"op", "Launched by", Unit::kText, ColumnKind::kKey,
     "The innermost operator around the launch, of several the one with the largest total; (no operator) "
     "when the "
     "launch is not in the file or lies in no operator."},
    {"stream", "Stream", Unit::kText, ColumnKind::kKey,
     "Device and stream it ran on; of several the one with the largest total."},
    {"unlinked", "Unlinked", Unit::kCount, ColumnKind::kAdditive,
     "How many of the calls have no launch in the file."},
    {"limited_by", "Limited by", Unit::kText, ColumnKind::kKey,
     "What keeps more of its blocks from running on a multiprocessor at once: warps, registers, shared "
     "memory, "
     "blocks or barriers; of several the one with the largest total. The column is there if the file says it "
     "of a kernel."},
};
inline constexpr std::string_view kKernelsGroups[] = {"name", "op", "stream", "class"};

Table kernels_table(const AnalyzedTrace& analyzed, const TableOptions& options);

}  // namespace skyline::analyze
