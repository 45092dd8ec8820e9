// The report on several traces: the ranks of one run, compared, or traces that have nothing to do with each
// other.
#pragma once

#include <string>

#include "cli/terminal/console.h"
#include "cli/views/report.h"

namespace skyline::cli {

std::string render_ranks(const Report& report, const Console& console);

}  // namespace skyline::cli
