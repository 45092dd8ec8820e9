// How time and memory depend on the batch size, as text.
#pragma once

#include <string>

#include "cli/terminal/console.h"
#include "session/session.h"

namespace skyline::cli {

// "3 931", "0.52": samples or tokens per second.
std::string format_rate(double per_second);

// Needs result.models.
std::string render_batch_models(const session::ProfileResult& result, const Console& console);

}  // namespace skyline::cli
