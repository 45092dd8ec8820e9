// Copies of large traces that were read before, so that the next time takes a moment: tables and the places
// where the packed file can be entered, but not its text, which stays where it was.
#pragma once

#include <memory>

#include "ingest/ingest.h"
#include "ingest/trace_input.h"

namespace skyline::ingest {

// The trace that these very bytes gave before; nullptr if there is none, or none that is whole.
std::unique_ptr<const Trace> find_in_cache(const TraceInput& input, const IngestOptions& options);

}  // namespace skyline::ingest
