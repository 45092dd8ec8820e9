// Errors of predictions, as text and as JSON.
#pragma once

#include <string>

#include "cli/terminal/console.h"
#include "session/session.h"

namespace skyline {

std::string render_evaluation(const EvaluateResult& result, const Console& console);
std::string render_evaluation_json(const EvaluateResult& result);

}  // namespace skyline
