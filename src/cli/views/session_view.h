// A session as text: what is known of the newest profile, on one screen.
#pragma once

#include <string>

#include "cli/terminal/console.h"
#include "session/session.h"

namespace skyline::cli {

// Everything that is known of one profile. `rows`: how many modules and lines at most.
std::string render_profile(const session::ProfileResult& result, const std::string& project_root,
                           const Console& console, size_t rows);

// Only what is known of its time, and of its memory.
std::string render_time_profile(const session::ProfileResult& result, const std::string& project_root,
                                const Console& console, size_t rows);
std::string render_memory_profile(const session::ProfileResult& result, const std::string& project_root,
                                  const Console& console, size_t rows);

// The whole screen of `interactive`.
std::string render_session(const session::SessionView& view, const session::SessionOptions& options,
                           const Console& console, size_t rows);

}  // namespace skyline::cli
