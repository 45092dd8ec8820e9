// Every call of an operator, one row each: for programs more than for people.
#pragma once

#include "analyze/core/analysis.h"

namespace skyline::analyze {

inline constexpr ColumnDef kCallsColumns[] = {
    {"call", "Call", Unit::kNumber, ColumnKind::kKey,
     "The call's number: threads one after another, each in order of time."},
    {"name", "Operator", Unit::kText, ColumnKind::kKey, "The operator's name."},
    {"kind", "Kind", Unit::kText, ColumnKind::kKey,
     "operator, or range of record_function, torch or a step; only with --ranges."},
    {"thread", "Thread", Unit::kText, ColumnKind::kKey, "The thread it runs on, as the file names it."},
    {"start", "Start", Unit::kNanoseconds, ColumnKind::kDerived,
     "When it begins, from the start of the trace."},
    {"duration", "Duration", Unit::kNanoseconds, ColumnKind::kAdditive, "From its begin to its end."},
    {"host_self", "Host self", Unit::kNanoseconds, ColumnKind::kAdditive,
     "Time in which it is the innermost open call of its thread."},
    {"parent", "Parent", Unit::kNumber, ColumnKind::kDerived,
     "The number of the call around it; none for an outermost one."},
    {"sequence", "Sequence", Unit::kNumber, ColumnKind::kDerived,
     "autograd's number, the same for a forward call and its backward calls; none if there is none."},
    {"forward_thread", "Fwd thread", Unit::kNumber, ColumnKind::kDerived,
     "torch's own number of the thread that ran forward; 0 in forward calls."},
    {"input_shapes", "Input shapes", Unit::kText, ColumnKind::kKey,
     "Sizes of its inputs, as recorded with record_shapes."},
    {"input_types", "Input types", Unit::kText, ColumnKind::kKey,
     "Types of its inputs as torch names them, as recorded with record_shapes: of tensors the dtype."},
    {"concrete_inputs", "Concrete inputs", Unit::kText, ColumnKind::kKey,
     "Values of its inputs that are no tensors, as recorded."},
    {"flops", "FLOPs", Unit::kCount, ColumnKind::kAdditive,
     "Floating-point operations by torch.profiler's formulas; none if there is no formula for it or its "
     "inputs "
     "were not recorded."},
    {"host_memory_total", "Host mem. total", Unit::kBytes, ColumnKind::kAdditive,
     "Bytes of host memory allocated less those released on its thread while it runs."},
    {"host_memory_self", "Host mem. self", Unit::kBytes, ColumnKind::kAdditive,
     "host_memory_total without what happened inside calls inside."},
    {"stack", "Stack", Unit::kNumber, ColumnKind::kDerived,
     "The number of its Python stack in the table stacks; none if it is not known."},
};
inline constexpr std::string_view kCallsGroups[] = {"call"};

std::unique_ptr<RowSource> open_calls(const AnalyzedTrace& analyzed, const TableOptions& options);
Table calls_table(const AnalyzedTrace& analyzed, const TableOptions& options);

}  // namespace skyline::analyze
