// How much of the time that waits for the host lies in no operator: Python, data handling, sleep.
#pragma once

#include "analyze/core/analysis.h"
#include "analyze/core/intervals.h"

namespace skyline::analyze {

inline constexpr FigureDef kHostTimeFigures[] = {
    {"host.outside_operators", Unit::kNanoseconds,
     "Time of the verdict's part host, within steps or without steps in the whole recording, in which no "
     "thread is inside an operator; none unless operators were recorded."},
    {"host.outside_operators_share", Unit::kShare,
     "host.outside_operators as a share of the time of steps, or without steps of the whole recording."},
};

std::vector<Figure> host_time_figures(const AnalyzedTrace& analyzed);

// The judged moments of the host's part in which no thread is inside an operator.
IntervalSet host_outside_operators(const AnalyzedTrace& analyzed);

}  // namespace skyline::analyze
