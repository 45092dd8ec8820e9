// All rules, and what they find. A new rule is a function with its tests, and a line in rules.cpp.
#pragma once

#include "analyze/advice/live_evidence.h"
#include "analyze/core/finding.h"

namespace skyline {

// In the order of the rules; those that have nothing to go by are silent.
Findings find_live_findings(const LiveEvidence& evidence);

}  // namespace skyline
