// A file that the recorder wrote: events and what they refer to, not nested or linked yet.
#pragma once

#include <memory>

#include "ingest/ingest.h"
#include "trace/builder.h"
#include "tracefile/tracefile.h"

namespace skyline::ingest::native {

// Everything but freezing, into an empty builder.
void read_recorded(std::shared_ptr<const tracefile::Reader> file, const std::string& path, unsigned threads,
                   TraceBuilder& builder);

}  // namespace skyline::ingest::native
