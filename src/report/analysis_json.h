// A profile as JSON: everything that was found out, under one versioned schema (docs/analysis_json.md).
#pragma once

#include <string>

#include "session/session.h"

namespace skyline::report {

// Grows when a key gets another meaning or goes. New keys may come without.
inline constexpr int kAnalysisVersion = 1;

// What is not known yet, in a profile that has not ended, is null.
std::string analysis_json(const session::ProfileResult& result, const session::ProfiledProject& project);

}  // namespace skyline::report
