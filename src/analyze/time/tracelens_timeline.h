// TraceLens' gpu_timeline: only activities whose launch call is in the file count.
#pragma once

#include "analyze/core/analysis.h"

namespace skyline::analyze {

inline constexpr FigureDef kTracelensFigures[] = {
    {"tracelens.window", Unit::kNanoseconds,
     "First start to last end of the activities whose launch is in the file."},
    {"tracelens.busy", Unit::kNanoseconds,
     "Time in which at least one of these activities runs on any stream."},
    {"tracelens.idle", Unit::kNanoseconds, "tracelens.window without tracelens.busy."},
    {"tracelens.compute", Unit::kNanoseconds,
     "Time in which an activity runs that is neither a copy nor has \"nccl\" in its name; memory sets "
     "count."},
    {"tracelens.comm", Unit::kNanoseconds,
     "Time in which an activity runs that has \"nccl\" in its name, in any case."},
    {"tracelens.exposed_comm", Unit::kNanoseconds, "tracelens.comm that tracelens.compute does not cover."},
    {"tracelens.memcpy", Unit::kNanoseconds, "Time in which an activity of the copy category runs."},
    {"tracelens.exposed_memcpy", Unit::kNanoseconds,
     "tracelens.memcpy that neither tracelens.compute nor tracelens.comm covers."},
};

std::vector<Figure> tracelens_timeline(const AnalyzedTrace& analyzed);

}  // namespace skyline::analyze
