// HTA's temporal breakdown and communication overlap, by its own kernel classes, in exact nanoseconds.
//
// HTA leaves the last step out, as it is often cut: with more than one ProfilerStep name in the
// trace, host events that start at or after the last step's start go, and device activities go
// with their launch, or when they have none.
#pragma once

#include "analyze/core/analysis.h"

namespace skyline::analyze {

enum class HtaClass : uint8_t { kComputation, kCommunication, kMemory, kOther };

// HTA's patterns, in its order: communication, memory, computation, other. Case counts.
HtaClass hta_class(std::string_view name);

inline constexpr FigureDef kHtaFigures[] = {
    {"hta.kernels", Unit::kCount,
     "Device activities that HTA keeps: with several steps, those launched before the last one began."},
    {"hta.kernel_time", Unit::kNanoseconds, "First start to last end of the kept activities."},
    {"hta.idle", Unit::kNanoseconds, "hta.kernel_time in which none of them runs."},
    {"hta.compute", Unit::kNanoseconds,
     "Time in which at least one kept activity runs whose name HTA takes for computation."},
    {"hta.non_compute", Unit::kNanoseconds,
     "hta.kernel_time without hta.idle and hta.compute: communication and memory work that computation does "
     "not "
     "cover."},
    {"hta.comm_comp_overlap", Unit::kNanoseconds,
     "Time in which activities that HTA takes for communication and for computation both run."},
    {"hta.comm_comp_overlap_share", Unit::kShare,
     "hta.comm_comp_overlap as a share of the communication time; none without communication."},
};

std::vector<Figure> hta_breakdown(const AnalyzedTrace& analyzed);

}  // namespace skyline::analyze
