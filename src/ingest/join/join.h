// Two recordings of one process as one: what our recorder saw of the host, and what another (Kineto) saw of
// the devices. Calls that launch work stand on the threads of both and carry the numbers of the work they
// launch; so once they are rows of one draft, nesting and linking find the rest as for any other trace.
#pragma once

#include "ingest/join/clock_shift.h"
#include "trace/builder.h"

namespace skyline::ingest {

// Appends to `host` what `device` has: calls, device work, synchronisations, counters, devices, losses.
// Operators, ranges and Python frames of `device` are left out, as the host's recorder has them. Neither is
// frozen yet. What was found out about their clocks also goes to the metadata (device.clock_shift_ns).
ClockShift join_device(TraceBuilder& host, TraceBuilder device);

// Places in the source of the device's events begin here in a joined trace.
inline constexpr uint64_t kDeviceSourcePlace = uint64_t{1} << 62;

// Fetches args from whichever recording an event is of. Either may be nullptr.
std::unique_ptr<ArgsSource> joined_args(std::unique_ptr<ArgsSource> host, std::unique_ptr<ArgsSource> device);

// The host's part of such a source; `args` itself if it is of another kind.
const ArgsSource& host_part(const ArgsSource& args);

}  // namespace skyline::ingest
