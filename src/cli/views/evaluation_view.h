// Errors of predictions, as text and as JSON.
#pragma once

#include <string>

#include "cli/terminal/console.h"
#include "session/session.h"

namespace skyline::cli {

std::string render_evaluation(const session::EvaluateResult& result, const Console& console);
std::string render_evaluation_json(const session::EvaluateResult& result);

}  // namespace skyline::cli
