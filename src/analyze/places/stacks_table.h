// Which lines of the user's program take the time: operators by their Python stacks, as flame graphs want
// them.
#pragma once

#include "analyze/core/analysis.h"

namespace skyline::analyze {

inline constexpr ColumnDef kStacksColumns[] = {
    {"stack", "Stack", Unit::kText, ColumnKind::kKey,
     "The Python frames around a call, file(line): function, outermost first, between semicolons; (no stack) "
     "gathers calls without."},
    {"number", "Number", Unit::kNumber, ColumnKind::kDerived, "The stack's number in the table calls."},
    {"calls", "Calls", Unit::kCount, ColumnKind::kAdditive, "How many operators were called there."},
    {"host_self", "Host self", Unit::kNanoseconds, ColumnKind::kAdditive, "Sum of their ops.host_self."},
    {"device_self", "Device self", Unit::kNanoseconds, ColumnKind::kAdditive,
     "Sum of their ops.device_self."},
    {"python", "Python", Unit::kNanoseconds, ColumnKind::kAdditive,
     "Time between operators of the thread that trains that samples have met there; 0 without samples."},
    {"elsewhere", "Elsewhere", Unit::kNanoseconds, ColumnKind::kAdditive,
     "What DataLoader workers and other threads spent there, from samples."},
};
inline constexpr std::string_view kStacksGroups[] = {"stack"};

inline constexpr std::string_view kNoStackText = "(no stack)";

Table stacks_table(const AnalyzedTrace& analyzed, const TableOptions& options);

}  // namespace skyline::analyze
