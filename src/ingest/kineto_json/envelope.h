// What stands beside traceEvents: devices, ranks, clock base, recording options.
#pragma once

#include <string>
#include <string_view>

#include "trace/trace.h"

namespace skyline::ingest::kineto_json {

// Files one top-level key under TraceInfo. False when the value cannot be read. Keys that come
// twice: the last wins.
bool read_metadata(std::string_view key, std::string_view json, TraceInfo& info);

// Where a copy of a trace tells what the trace had lost: {"file.truncated": 1}. Nobody else knows this key.
inline constexpr std::string_view kLossesKey = "skylineLosses";

// Its value, as it is written, and read again. Kinds of other versions are left out. False when it cannot be
// read.
std::string losses_text(const LossCounts& losses);
bool read_losses(std::string_view json, uint64_t offset, LossCounts& losses);

// What can be told of the producer, once all keys are known.
void name_producer(TraceInfo& info);

}  // namespace skyline::ingest::kineto_json
