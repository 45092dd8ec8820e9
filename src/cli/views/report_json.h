// The report for programs.
#pragma once

#include <string>
#include <vector>

#include "cli/setup/trace_reading.h"
#include "cli/views/report.h"

namespace skyline::cli {

// `with_timings` makes the output differ from run to run.
std::string render_report_json(const Report& report, const std::vector<ReadError>& errors, bool with_timings);

}  // namespace skyline::cli
