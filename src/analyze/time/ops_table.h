// Which operators take the time, on the host and on the device.
#pragma once

#include "analyze/core/analysis.h"

namespace skyline::analyze {

inline constexpr ColumnDef kOpsColumns[] = {
    {"name", "Operator", Unit::kText, ColumnKind::kKey,
     "The operator's name; (no operator) gathers device work whose launch is not in the file or lies in no "
     "operator, and memory events outside of operators."},
    {"kind", "Kind", Unit::kText, ColumnKind::kKey,
     "operator, or range of record_function, torch or a step; only with --ranges."},
    {"input_shapes", "Input shapes", Unit::kText, ColumnKind::kKey,
     "Sizes of its inputs, as recorded with record_shapes; only when grouped by shape or signature."},
    {"input_types", "Input types", Unit::kText, ColumnKind::kKey,
     "Types of its inputs as torch names them, as recorded with record_shapes: of tensors the dtype; only "
     "when "
     "grouped by signature."},
    {"calls", "Calls", Unit::kCount, ColumnKind::kAdditive, "How often it was called, on all threads."},
    {"host_total", "Host total", Unit::kNanoseconds, ColumnKind::kAdditive,
     "Time in which at least one of its calls is open, per thread; calls inside calls of the same row count "
     "once."},
    {"host_self", "Host self", Unit::kNanoseconds, ColumnKind::kAdditive,
     "Time in which one of its calls is the innermost open operator of its thread; adds up over all rows to "
     "the time "
     "that threads spend in operators."},
    {"host_self_share", "Host self %", Unit::kShare, ColumnKind::kDerived,
     "host_self as a share of the sum over all rows."},
    {"device_total", "Device total", Unit::kNanoseconds, ColumnKind::kAdditive,
     "Sum of the durations of device activities launched inside its calls; calls inside calls of the same "
     "row count "
     "once."},
    {"device_self", "Device self", Unit::kNanoseconds, ColumnKind::kAdditive,
     "Sum of the durations of device activities for whose launch it is the innermost operator; adds up over "
     "all rows "
     "to the durations of all activities."},
    {"device_self_share", "Device self %", Unit::kShare, ColumnKind::kDerived,
     "device_self as a share of the sum over all rows."},
    {"launches", "Launches", Unit::kCount, ColumnKind::kAdditive,
     "Runtime calls directly inside it that started device work."},
    {"kernels", "Kernels", Unit::kCount, ColumnKind::kAdditive,
     "Device activities started by these calls: kernels, copies and sets."},
    {"flops", "FLOPs", Unit::kCount, ColumnKind::kAdditive,
     "Floating-point operations by torch.profiler's formulas, for mm, addmm, bmm, baddbmm, add, mul and "
     "conv2d "
     "whose inputs were recorded (with_flops); none for other operators, and not there if no row has any."},
    {"host_memory_total", "Host mem. total", Unit::kBytes, ColumnKind::kAdditive,
     "Bytes of host memory allocated less those released on the thread of its calls while they run; calls "
     "inside calls of the same row count once."},
    {"host_memory_self", "Host mem. self", Unit::kBytes, ColumnKind::kAdditive,
     "host_memory_total without what happened inside operators inside; adds up over all rows to what was "
     "allocated and not released."},
    {"device_memory_total", "Device mem. total", Unit::kBytes, ColumnKind::kAdditive,
     "The same of device memory, for all devices together."},
    {"device_memory_self", "Device mem. self", Unit::kBytes, ColumnKind::kAdditive,
     "device_memory_total without what happened inside operators inside."},
    {"memory_events", "Mem. events", Unit::kCount, ColumnKind::kAdditive,
     "Allocations and releases for which it is the innermost operator."},
};
inline constexpr std::string_view kOpsGroups[] = {"name", "shape", "signature"};

inline constexpr std::string_view kNoOperator = "(no operator)";

// Columns of memory are there if the trace has memory events.
Table ops_table(const AnalyzedTrace& analyzed, const TableOptions& options);

}  // namespace skyline::analyze
