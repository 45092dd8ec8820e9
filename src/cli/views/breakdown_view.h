// Where time and memory go, as text: one bar, then modules and lines.
#pragma once

#include <string>

#include "cli/terminal/console.h"
#include "session/session.h"

namespace skyline::cli {

std::string render_time_breakdown(const session::ProfileResult& result, const std::string& project_root,
                                  const Console& console, size_t rows);
std::string render_memory_breakdown(const session::ProfileResult& result, const std::string& project_root,
                                    const Console& console, size_t rows);

}  // namespace skyline::cli
