// Who waits for the device: synchronisations by their kind, by the operator or by the line that asks for
// them.
//
// A wait is a slice of category sync, as producers write it when they record synchronisation events; without
// such a slice it is the host's call itself (cudaStreamSynchronize, hipDeviceSynchronize, …), so that no wait
// counts twice. Recording an event on a stream waits for nothing and is left out.
#pragma once

#include "analyze/core/analysis.h"

namespace skyline::analyze {

inline constexpr ColumnDef kSyncsColumns[] = {
    {"kind", "Kind", Unit::kText, ColumnKind::kKey,
     "What is waited for, in the producer's words (Stream Sync, Stream Wait Event), or the host's call; of "
     "several "
     "in a row the one with the largest total."},
    {"calls", "Calls", Unit::kCount, ColumnKind::kAdditive, "How often it was waited."},
    {"total", "Total", Unit::kNanoseconds, ColumnKind::kAdditive, "Sum of the durations."},
    {"share", "Share", Unit::kShare, ColumnKind::kDerived, "total as a share of the sum over all rows."},
    {"mean", "Mean", Unit::kNanoseconds, ColumnKind::kDerived,
     "Mean duration, rounded to the nearest nanosecond."},
    {"max", "Max", Unit::kNanoseconds, ColumnKind::kDerived, "Longest duration."},
    {"op", "Asked for by", Unit::kText, ColumnKind::kKey,
     "The innermost operator around the call that asks to wait, of several the one with the largest total; "
     "(no "
     "operator) when the call is not in the file or lies in no operator."},
    {"line", "Line", Unit::kText, ColumnKind::kKey,
     "The innermost line of the user's program that calls this operator, of several the one with the "
     "largest "
     "total; "
     "(not known) without a Python stack."},
};
inline constexpr std::string_view kSyncsGroups[] = {"kind", "op", "line"};

Table syncs_table(const AnalyzedTrace& analyzed, const TableOptions& options);

}  // namespace skyline::analyze
