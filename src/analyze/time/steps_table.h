// The training steps, and where the wall time of each went.
#pragma once

#include "analyze/core/analysis.h"

namespace skyline::analyze {

inline constexpr ColumnDef kStepsColumns[] = {
    {"step", "Step", Unit::kNumber, ColumnKind::kKey,
     "The step's number: N of ProfilerStep#N, or counted from 0 when steps were inferred."},
    {"start", "Start", Unit::kNanoseconds, ColumnKind::kDerived,
     "When the step begins on the host, from the start of the trace."},
    {"duration", "Duration", Unit::kNanoseconds, ColumnKind::kAdditive,
     "How long the step takes on the host; device_compute, communication, copy, input, host_communication "
     "and host "
     "add up to it exactly."},
    {"device_busy", "Device busy", Unit::kNanoseconds, ColumnKind::kAdditive,
     "Time within the step in which any activity runs on the device: device_compute, communication and "
     "copy."},
    {"device_compute", "Compute", Unit::kNanoseconds, ColumnKind::kAdditive,
     "A compute kernel or a memory set runs on the device."},
    {"communication", "Exposed comm.", Unit::kNanoseconds, ColumnKind::kAdditive,
     "A communication kernel runs on the device and no compute kernel hides it."},
    {"copy", "Exposed copy", Unit::kNanoseconds, ColumnKind::kAdditive,
     "A copy runs on the device and no kernel hides it."},
    {"input", "Input", Unit::kNanoseconds, ColumnKind::kAdditive,
     "The device does nothing and the training thread is inside a DataLoader or DataPipe fetch."},
    {"host_communication", "Host comm.", Unit::kNanoseconds, ColumnKind::kAdditive,
     "The device does nothing, a collective runs on the host, and no operator works meanwhile."},
    {"host", "Host", Unit::kNanoseconds, ColumnKind::kAdditive,
     "The rest: the device does nothing while the host runs operators, Python, launches, or waits."},
    {"kernels", "Kernels", Unit::kCount, ColumnKind::kAdditive,
     "Device activities launched by calls that start within the step."},
};
inline constexpr std::string_view kStepsGroups[] = {"step"};

Table steps_table(const AnalyzedTrace& analyzed, const TableOptions& options);

}  // namespace skyline::analyze
