// What is in the trace, in a few numbers.
#pragma once

#include "analyze/core/analysis.h"

namespace skyline::analyze {

inline constexpr FigureDef kTraceFigures[] = {
    {"trace.events", Unit::kCount, "All events read from the file, of every phase and category."},
    {"trace.span", Unit::kNanoseconds,
     "First start to last end of all slices, without the profiler's own marks (spans, overhead)."},
    {"trace.threads", Unit::kCount,
     "Host threads with at least one operator, annotation, Python frame or runtime call."},
    {"trace.streams", Unit::kCount, "Device streams (or queues) with at least one activity."},
    {"trace.operators", Unit::kCount, "Operator calls on all threads."},
    {"trace.launches", Unit::kCount,
     "Runtime and driver calls on all threads, whether they started device work or not."},
    {"trace.steps", Unit::kCount,
     "Training steps: ProfilerStep ranges, or else stretches that end with an optimizer's step."},
    {"trace.step_time", Unit::kNanoseconds,
     "Mean duration of the steps on the host, rounded down; none without steps."},
    {"trace.losses", Unit::kCount,
     "Events and values that could not be read and are missing from the figures."},
    {"trace.repairs", Unit::kCount,
     "Oddities in the file that were repaired or ignored without effect on the figures."},
};

std::vector<Figure> trace_figures(const AnalyzedTrace& analyzed);

}  // namespace skyline::analyze
