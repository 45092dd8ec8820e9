#pragma once

#include <memory>

#include "ingest/native/definitions.h"
#include "trace/args_source.h"
#include "tracefile/tracefile.h"

namespace skyline::ingest::native {

// Recorded events as Kineto would write them. An event's offset is its place among all events of the file.
std::unique_ptr<ArgsSource> recorded_args(std::shared_ptr<const tracefile::Reader> file,
                                          std::shared_ptr<const Definitions> definitions, int64_t base_ns);

// The file behind such a source; nullptr for any other kind.
const tracefile::Reader* recording_behind(const ArgsSource& args);

}  // namespace skyline::ingest::native
