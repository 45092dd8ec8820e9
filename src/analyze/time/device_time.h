// How long the device works, and at what, by our own definitions.
#pragma once

#include "analyze/core/analysis.h"

namespace skyline::analyze {

inline constexpr FigureDef kDeviceTimeFigures[] = {
    {"device.activities", Unit::kCount,
     "Kernels, copies and sets on any device and of any vendor, whether their launch is in the file or not."},
    {"device.unlinked", Unit::kCount, "Device activities whose launch call is not in the file."},
    {"device.window", Unit::kNanoseconds, "First start to last end of all device activities."},
    {"device.busy", Unit::kNanoseconds, "Time in which at least one activity runs on any stream."},
    {"device.idle", Unit::kNanoseconds, "device.window without device.busy: no stream does anything."},
    {"device.compute", Unit::kNanoseconds,
     "Time in which at least one kernel runs that is neither communication nor a copy nor a set."},
    {"device.communication", Unit::kNanoseconds,
     "Time in which at least one communication kernel runs: known by its library's name, or because the file "
     "describes its collective."},
    {"device.copy", Unit::kNanoseconds, "Time in which at least one copy runs."},
    {"device.set", Unit::kNanoseconds, "Time in which at least one memory set runs."},
    {"device.exposed_communication", Unit::kNanoseconds,
     "device.communication that no compute kernel covers: what overlapping could still hide."},
    {"device.exposed_copy", Unit::kNanoseconds,
     "device.copy that neither compute nor communication kernels cover."},
    {"device.busy_share", Unit::kShare, "device.busy as a share of device.window."},
    {"device.idle_share", Unit::kShare, "device.idle as a share of device.window."},
    {"device.compute_share", Unit::kShare, "device.compute as a share of device.window."},
    {"device.communication_share", Unit::kShare, "device.communication as a share of device.window."},
    {"device.exposed_communication_share", Unit::kShare,
     "device.exposed_communication as a share of device.window."},
    {"device.exposed_copy_share", Unit::kShare, "device.exposed_copy as a share of device.window."},
};

std::vector<Figure> device_time(const AnalyzedTrace& analyzed);

}  // namespace skyline::analyze
