// What the recorder itself took, so that figures can be trusted or taken with salt.
#pragma once

#include "analyze/core/analysis.h"

namespace skyline::analyze {

inline constexpr FigureDef kRecordingFigures[] = {
    {"recording.calls", Unit::kCount,
     "How often torch called the recorder: at the begin and end of each operator and range, and for each "
     "memory event."},
    {"recording.cost", Unit::kNanoseconds,
     "Time inside these calls on all threads, estimated from every 256th of them; what torch needs to make "
     "them is not in it."},
    {"recording.cost_per_call", Unit::kNanoseconds, "recording.cost by recording.calls, rounded down."},
    {"recording.cost_share", Unit::kShare,
     "Of each step the part of recording.cost that its calls have of all calls, as a share of its time; the "
     "median over the steps. Where there are no steps, recording.cost as a share of trace.span."},
};

std::vector<Figure> recording_figures(const AnalyzedTrace& analyzed);

}  // namespace skyline::analyze
