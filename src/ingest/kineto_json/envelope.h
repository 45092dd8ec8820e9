// What stands beside traceEvents: devices, ranks, clock base, recording options.
#pragma once

#include <string_view>

#include "trace/trace.h"

namespace skyline::kineto_json {

// Files one top-level key under TraceInfo. False when the value cannot be read. Keys that come
// twice: the last wins.
bool read_metadata(std::string_view key, std::string_view json, TraceInfo& info);

// What can be told of the producer, once all keys are known.
void name_producer(TraceInfo& info);

}  // namespace skyline::kineto_json
