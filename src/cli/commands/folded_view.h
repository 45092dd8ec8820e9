// skyline show --format folded: time as other programs read it to draw flame graphs.
#pragma once

#include "cli/setup/command.h"

namespace skyline::cli {

Result<Answer> run_show_folded(const Arguments& arguments, const Context& context);

}  // namespace skyline::cli
