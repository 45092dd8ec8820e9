// What to change first. Rules look each at its own; here they are put in one order, and a rule is silent
// where another one explains the same time.
#pragma once

#include <span>
#include <string_view>

#include "analyze/core/analyzed_trace.h"
#include "analyze/core/finding.h"
#include "analyze/health/verdict.h"

namespace skyline::analyze {

// If both are found and share most of the time of the second, the second one is silent.
struct Explains {
  std::string_view stronger, silent;
};
std::span<const Explains> explanations();

// Advice that nobody can follow together: of two that are found only the one that saves more stands.
struct Rivals {
  std::string_view one, other;
};
std::span<const Rivals> rivals();

struct Advice {
  Findings found;         // best first: by gain, then what has none, then notes
  Findings explained;     // found, but silent
  Findings cannot_judge;  // in the order of the rules
};

Advice make_advice(Findings findings);         // of any findings
Advice advice(const AnalyzedTrace& analyzed);  // of a trace; shared through AnalyzedTrace::get

// The verdict whose sentence is the answer: the best finding, or what the step is bound by and that nothing
// stands out. If the recording's figures are wrong the sentence says so.
Verdict answer(const AnalyzedTrace& analyzed);

}  // namespace skyline::analyze
