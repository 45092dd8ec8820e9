// The rows of the SQLite reports (sqlite_report.h), from what a profile has found.
#pragma once

#include <vector>

#include "report/sqlite_report.h"
#include "session/session.h"

namespace skyline::report {

// One entry per operator that the project's own lines call in the forward pass. Operators of torch go by the
// names that Python has for them: conv2d, not aten::conv2d.
std::vector<TimeEntry> time_entries(const session::ProfileResult& result,
                                    const session::ProfiledProject& project);

// Weights by the first name they have, one per storage; activations at the peak, one per operator call.
MemoryEntries memory_entries(const session::ProfileResult& result, const session::ProfiledProject& project);

// `modules` come from the breakdown of time, or else from that of memory.
ReportContext report_context(const session::ProfileResult& result, const session::ProfiledProject& project);

// What the recorder noted of the machine and its software, by key; both breakdowns have it.
std::vector<std::pair<std::string, std::string>> environment_facts(const session::ProfileResult& result);

}  // namespace skyline::report
